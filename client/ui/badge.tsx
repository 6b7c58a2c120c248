import { type ReactNode } from 'react'
import { cx } from './cx.ts'
import { PulsingDot } from './pulsing-dot.tsx'

const tones = {
  success: 'bg-success-soft text-success-ink',
  warning: 'bg-warning-soft text-warning-ink',
  danger: 'bg-danger-soft text-danger-ink',
  accent: 'bg-accent-soft text-accent-ink',
  sold: 'bg-sold-soft text-sold-ink',
  neutral: 'bg-expired-soft text-expired-ink',
  outline: 'text-ink-2 shadow-[inset_0_0_0_1px_var(--lw-line-strong)]',
}

export type BadgeTone = keyof typeof tones

const base =
  'inline-flex h-5 flex-none items-center gap-1 rounded-sm px-2 text-xs leading-5 font-medium whitespace-nowrap'

export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span className={cx(base, tones[tone])}>
      {icon}
      {children}
    </span>
  )
}

/** In the feed, this is the only badge with a solid fill. */
export function LiveBadge() {
  return (
    <span className={cx(base, 'bg-live font-semibold tracking-caps text-on-solid')}>
      <PulsingDot className="size-1.5" />
      LIVE
    </span>
  )
}

const statuses: Record<string, { label: string; tone: BadgeTone }> = {
  active: { label: 'Active', tone: 'success' },
  available: { label: 'Available', tone: 'success' },
  approved: { label: 'Approved', tone: 'success' },
  complete: { label: 'Complete', tone: 'success' },
  pending: { label: 'Pending', tone: 'warning' },
  incomplete: { label: 'Incomplete', tone: 'warning' },
  sold: { label: 'Sold', tone: 'sold' },
  completed: { label: 'Completed', tone: 'sold' },
  expired: { label: 'Expired', tone: 'neutral' },
  removed: { label: 'Removed', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  rejected: { label: 'Rejected', tone: 'danger' },
}

/** A badge for a status. An unknown status gets an outline and capital letters. */
export function StatusBadge({ status }: { status: string }) {
  const known = statuses[status]
  if (!known) return <Badge tone="outline">{status.toUpperCase()}</Badge>
  return <Badge tone={known.tone}>{known.label}</Badge>
}

const dots = {
  ok: 'bg-success dark:bg-success-ink',
  warning: 'bg-warning dark:bg-warning-ink',
  danger: 'bg-danger dark:bg-danger-ink',
  live: 'bg-live dark:bg-live-ink',
  off: 'bg-ink-3',
}

/** A colored dot. Always put a word next to it, because color alone is not accessible. */
export function Dot({ tone }: { tone: keyof typeof dots }) {
  return <span aria-hidden="true" className={cx('inline-block size-2 flex-none rounded-full', dots[tone])} />
}
