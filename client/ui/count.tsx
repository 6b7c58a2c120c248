import { unreadBadgeCap } from '#shared/limits.ts'
import { cx } from './cx.ts'

const tones = {
  danger: 'bg-danger text-on-solid',
  accent: 'bg-accent text-on-accent',
  quiet: 'bg-pressed text-ink-2',
}

interface CountProps {
  value: number
  tone?: keyof typeof tones
  corner?: boolean
}

export function cappedCount(value: number): string {
  return value > unreadBadgeCap ? `${unreadBadgeCap}+` : String(value)
}

export function Count({ value, tone = 'danger', corner = false }: CountProps) {
  return (
    <span
      className={cx(
        'num inline-flex flex-none items-center justify-center rounded-full px-1 text-xs font-semibold',
        corner
          ? 'absolute -top-1 -right-1 h-4 min-w-4 shadow-[0_0_0_2px_var(--lw-surface)] max-md:top-1 max-md:right-1'
          : 'h-5 min-w-5',
        tones[tone],
      )}
    >
      {cappedCount(value)}
    </span>
  )
}
