import { softCloseMs } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'

/** Minimum share of the bar that the mark must cover to be drawn. A narrower mark would not be visible at the bar's edge. */
const markFrom = 0.02

export function AuctionMeter({ auction, nowMs, thin = false }: AuctionMeterProps) {
  const end = Date.parse(auction.endsAt)
  const wholeMs = Math.max(1, end - Date.parse(auction.startsAt))
  const left = Math.min(1, Math.max(0, (end - nowMs) / wholeMs))
  const mark = softCloseMs / wholeMs
  return (
    <div
      aria-hidden="true"
      className={`relative overflow-hidden rounded-full ${thin ? 'h-1 bg-live-line' : 'h-2 bg-pressed'}`}
    >
      <span className="absolute inset-y-0 left-0 rounded-full bg-live" style={{ width: `${left * 100}%` }} />
      {thin || mark < markFrom ? null : (
        <span
          className="absolute inset-y-0 w-0.5 bg-raised forced-colors:bg-[Highlight]"
          style={{ left: `${mark * 100}%` }}
        />
      )}
    </div>
  )
}

interface AuctionMeterProps {
  auction: Pick<Auction, 'startsAt' | 'endsAt'>
  nowMs: number
  thin?: boolean
}
