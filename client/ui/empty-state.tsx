import { type ReactNode } from 'react'
import { cx } from './cx.ts'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  hint?: string
  action?: ReactNode
  level?: 1 | 2 | 3
  compact?: boolean
}

export function EmptyState({ icon, title, hint, action, level = 2, compact = false }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={cx('flex flex-col items-center gap-1 px-6 text-center', compact ? 'py-4' : 'py-10')}>
      <span aria-hidden="true" className="mb-2 text-ink-3">
        {icon}
      </span>
      <Heading className="text-base font-semibold">{title}</Heading>
      {hint ? <p className="max-w-80 text-balance text-ink-2">{hint}</p> : null}
      {action ? <div className="mt-3 max-w-full">{action}</div> : null}
    </div>
  )
}
