import { Fragment } from 'react'
import { keys, namesOf } from '#client/lib/keys.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { Kbd } from '#client/ui/kbd.tsx'

const bindings = Object.values(keys)
const places = [...new Set(bindings.map(({ where }) => where))]

/** The keys that there are, as they are listened for. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keys" description="They rest while you type.">
      {places.map((place) => (
        <section key={place} className="not-first:mt-4">
          <h3 className="text-xs font-medium text-ink-3">{place}</h3>
          <dl className="divide-y divide-line">
            {bindings
              .filter(({ where }) => where === place)
              .map(({ does, strokes }) => (
                <div key={does} className="flex min-h-10 items-center justify-between gap-4 py-1">
                  <dt>{does}</dt>
                  <dd className="flex flex-none flex-wrap items-center justify-end gap-1 text-xs text-ink-3">
                    {strokes.map((stroke, index) => (
                      <Fragment key={namesOf(stroke).join(' ')}>
                        {index > 0 ? ' or ' : null}
                        {namesOf(stroke).map((name) => (
                          <Kbd key={name}>{name}</Kbd>
                        ))}
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
