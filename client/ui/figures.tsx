import type { CSSProperties, ReactNode } from 'react'
import { Card } from './card.tsx'
import { cx } from './cx.ts'

export interface Figure {
  label: string
  value: string
  unit?: string
  note?: ReactNode
  tone?: 'danger'
}

export function Figures({ figures, label }: { figures: readonly Figure[]; label: string }) {
  return (
    <Card aria-label={label}>
      <dl
        className="grid grid-cols-2 md:grid-cols-[repeat(var(--figures),minmax(0,1fr))]"
        style={{ '--figures': figures.length } as CSSProperties}
      >
        {figures.map(({ label: name, value, unit, note, tone }) => (
          <div key={name} className="min-w-0 px-4 py-3 md:border-l md:border-line md:first:border-l-0">
            <dt className="flex items-center gap-2 text-xs text-ink-2">
              {tone === 'danger' ? <span aria-hidden="true" className="size-2 rounded-full bg-danger" /> : null}
              {name}
            </dt>
            <dd className={cx('num mt-1 text-lg font-semibold tracking-lg', tone === 'danger' && 'text-danger-ink')}>
              {value}
              {unit ? <span className="ml-1.5 text-xs font-normal tracking-normal text-ink-2">{unit}</span> : null}
            </dd>
            {note ? <dd className="mt-1 text-xs text-ink-2 md:truncate">{note}</dd> : null}
          </div>
        ))}
      </dl>
    </Card>
  )
}
