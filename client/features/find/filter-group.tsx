import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '#client/ui/cx.ts'
import { FilterOption } from './make-model-tree.tsx'

interface GroupProps {
  title: string
  hideTitle?: boolean
  chosen?: number
  says?: string
  folds?: boolean
  startsOpen?: boolean
  children: ReactNode
}

export function Group({ title, hideTitle, chosen = 0, says, folds = false, startsOpen = false, children }: GroupProps) {
  const [isOpen, setOpen] = useState(startsOpen || chosen > 0)
  const id = useId()
  const shown = !folds || isOpen
  return (
    <fieldset className={cx('min-w-0 px-4', shown ? 'pt-2 pb-3' : 'py-1')}>
      <legend className={cx(hideTitle ? 'sr-only' : 'float-left w-full text-sm font-semibold')}>
        {folds ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-7 w-full items-center justify-between gap-2 rounded-sm text-left max-lg:min-h-11 max-md:text-base touch:min-h-11"
          >
            {title}{' '}
            <span className="num ml-auto text-xs font-normal text-ink-2">
              {chosen > 0 ? (
                <>
                  {chosen}
                  <span className="sr-only"> chosen</span>
                </>
              ) : (
                says
              )}
            </span>
            <ChevronDown
              size={16}
              aria-hidden="true"
              className={cx('text-ink-3 transition-transform', isOpen && 'rotate-180')}
            />
          </button>
        ) : (
          <span className="block leading-7">{title}</span>
        )}
      </legend>
      <div id={id} className="clear-both" hidden={!shown}>
        {shown ? children : null}
      </div>
    </fieldset>
  )
}

interface ChoicesProps<Value extends string> {
  values: readonly Value[]
  labels: Readonly<Record<Value, string>>
  counts: readonly { value: Value; count: number }[] | undefined
  chosen: readonly Value[]
  onChosen: (chosen: Value[]) => void
}

/** Keeps the choices in a fixed order, so that they do not move when their counts change. */
export function Choices<Value extends string>({ values, labels, counts, chosen, onChosen }: ChoicesProps<Value>) {
  return values.map((value) => {
    const isOn = chosen.includes(value)
    const count = counts && (counts.find((one) => one.value === value)?.count ?? 0)
    return (
      <FilterOption
        key={value}
        label={labels[value]}
        count={count}
        checked={isOn}
        onToggle={() => onChosen(values.filter((one) => (one === value ? !isOn : chosen.includes(one))))}
      />
    )
  })
}
