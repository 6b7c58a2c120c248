import { type ReactNode } from 'react'
import { Avatar } from '#client/ui/avatar.tsx'
import { formatMonthDay, formatTime, formatWeekday } from '#client/ui/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs

/** Returns `now` for the last minute, the time for today, the weekday for the last week, and otherwise the date. */
function shortTime(iso: string, nowMs: number): string {
  const at = new Date(iso)
  const ageMs = nowMs - at.getTime()
  if (ageMs < minuteMs) return 'now'
  if (at.toDateString() === new Date(nowMs).toDateString()) return formatTime(iso)
  return ageMs < weekMs ? formatWeekday(iso) : formatMonthDay(iso)
}

export const RowTime = ({ iso }: { iso: string }) => (
  <RelativeTime iso={iso} format={shortTime} className="num flex-none text-xs leading-5 text-ink-3" />
)

interface DealerRowProps {
  dealer: { name: string; avatar: string | null }
  detail: ReactNode
  at?: string
  onPick: () => void
}

export function DealerRow({ dealer, detail, at, onPick }: DealerRowProps) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="flex min-h-14 w-full items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-hover"
    >
      <Avatar name={dealer.name} src={dealer.avatar} size={32} />
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-2">
          <span className="truncate font-medium">{dealer.name}</span>
          {at === undefined ? null : <RowTime iso={at} />}
        </span>
        <span className="block truncate text-xs text-ink-2">{detail}</span>
      </span>
    </button>
  )
}

export function RowsSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <SkeletonRows rows={4} className="h-14 px-3" />
    </Loading>
  )
}
