import { isOverAt, phaseOf } from '#client/lib/auction/auction-state.ts'
import { secondsUntil, useServerTime } from '#client/lib/live/server-clock.ts'
import { cx } from '#client/ui/cx.ts'
import { formatClock, formatTime } from '#client/ui/format.ts'
import { softCloseMs } from '#shared/limits.ts'
import type { AuctionState } from '#shared/schemas/auctions.ts'

type Timed = Pick<AuctionState, 'status' | 'startsAt' | 'endsAt'>

const exactSeconds = 300
const minute = 60
const hour = 3_600
const day = 86_400
const lateSeconds = softCloseMs / 1_000

/** Formats the time left, with seconds only near the end: `0:27`, `6 min`, `3 h`, `2 d`. */
function shortLeft(seconds: number): string {
  if (seconds < exactSeconds) return formatClock(seconds)
  if (seconds < hour) return `${Math.round(seconds / minute)} min`
  return seconds < day ? `${Math.round(seconds / hour)} h` : `${Math.round(seconds / day)} d`
}

function shortTextOf(auction: Timed, nowMs: number): string {
  if (isOverAt(auction, nowMs)) return formatTime(auction.endsAt)
  return phaseOf(auction, nowMs) === 'coming'
    ? `in ${shortLeft(secondsUntil(auction.startsAt, nowMs))}`
    : shortLeft(secondsUntil(auction.endsAt, nowMs))
}

/** True if the end is so close that a bid would extend the auction. */
const isLateAt = (auction: Timed, nowMs: number): boolean =>
  phaseOf(auction, nowMs) === 'running' && secondsUntil(auction.endsAt, nowMs) <= lateSeconds

export function RowClock({ auction, className }: { auction: Timed; className?: string }) {
  const text = useServerTime((nowMs) => shortTextOf(auction, nowMs))
  const isLate = useServerTime((nowMs) => isLateAt(auction, nowMs))
  return <span className={cx('num', isLate && 'font-semibold text-live-ink', className)}>{text}</span>
}

function clockTextOf(auction: Timed, nowMs: number): string {
  if (isOverAt(auction, nowMs)) return formatTime(auction.endsAt)
  const coming = phaseOf(auction, nowMs) === 'coming'
  const seconds = secondsUntil(coming ? auction.startsAt : auction.endsAt, nowMs)
  return seconds < day ? formatClock(seconds) : shortLeft(seconds)
}

/** Returns the number of characters of the clock in a grid position, which determines the clock's font size. */
export const useClockLength = (auction: Timed): number => useServerTime((nowMs) => clockTextOf(auction, nowMs).length)

/** `quiet` is true if the auction is running but the dealer cannot bid. */
export function PositionClock({ auction, quiet }: { auction: Timed; quiet: boolean }) {
  const text = useServerTime((nowMs) => clockTextOf(auction, nowMs))
  const isLate = useServerTime((nowMs) => isLateAt(auction, nowMs))
  const isOver = useServerTime((nowMs) => isOverAt(auction, nowMs))
  const live = isLate ? 'text-live-ink' : undefined
  return (
    <span className={cx('num whitespace-nowrap', isOver && 'text-lg', quiet || isOver ? 'text-ink-3' : live)}>
      {text}
    </span>
  )
}

export function TimeBar({ auction, quiet }: { auction: Timed; quiet: boolean }) {
  const percent = useServerTime((nowMs) => {
    const start = Date.parse(auction.startsAt)
    const whole = Math.max(1, Date.parse(auction.endsAt) - start)
    return Math.round(1_000 * Math.min(1, Math.max(0, (nowMs - start) / whole))) / 10
  })
  const isLate = useServerTime((nowMs) => isLateAt(auction, nowMs))
  const fill = isLate ? 'bg-live' : 'bg-ink-3'
  return (
    <div aria-hidden="true" className="mt-1.5 h-1 flex-none overflow-hidden rounded-full bg-pressed">
      <span className={cx('block h-full', quiet ? 'bg-line-strong' : fill)} style={{ width: `${percent}%` }} />
    </div>
  )
}
