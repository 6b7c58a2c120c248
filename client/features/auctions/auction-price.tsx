import { Timer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '#client/ui/badge.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatClock, formatMoney } from '#client/ui/format.ts'
import { softCloseMs } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { AuctionMeter, secondsUntil } from './auction-meter.tsx'
import { type AuctionPhase, priceLabelOf, reserveText } from './auction-state.ts'

const secondsPerMs = 1 / 1_000
const softSeconds = softCloseMs * secondsPerMs
const announcedSeconds: Record<number, string> = {
  60: 'Under a minute left',
  30: '30 seconds left',
  10: '10 seconds left',
}
const extendedMs = 5_000

const softCloseText = `A bid in the last ${formatClock(softSeconds)} adds ${formatClock(softSeconds)}`

/** The price and the clock: the two strongest things on the screen. */
export function AuctionPrice({ auction, phase, nowMs }: { auction: Auction; phase: AuctionPhase; nowMs: number }) {
  const coming = phase === 'coming'
  const seconds = secondsUntil(coming ? auction.startsAt : auction.endsAt, nowMs)
  const late = phase === 'running' && seconds <= softSeconds
  const ticking = coming || phase === 'running'
  return (
    <section aria-label="Price and time" className="px-5 pt-4 pb-3 max-md:px-4 max-md:pt-3">
      <div className="flex justify-between gap-4 text-xs text-ink-2">
        <span>{priceLabelOf(auction, phase)}</span>
        <span>{coming ? 'Starts in' : 'Time left'}</span>
      </div>
      <div className="mt-1 flex items-baseline justify-between gap-4 text-xl font-semibold tracking-xl">
        <ChangingNumber value={auction.amount ?? 0} text={formatMoney(auction.amount ?? auction.startAmount)} />
        <span className={cx('num', late && 'text-live-ink')}>{ticking ? formatClock(seconds) : 'Ended'}</span>
      </div>
      <div className="mt-2">
        <AuctionMeter endsAt={auction.endsAt} nowMs={coming ? 0 : nowMs} />
      </div>
      <div className="mt-1 flex min-h-5 items-center justify-between gap-3 text-xs text-ink-2">
        <span className="num">{ticking ? softCloseText : reserveText[auction.reserve]}</span>
        <ClockBadge auction={auction} running={phase === 'running'} />
      </div>
      <Countdown seconds={phase === 'running' ? seconds : undefined} />
    </section>
  )
}

/** Read aloud as the end comes near. */
function Countdown({ seconds }: { seconds: number | undefined }) {
  return (
    <p aria-live="assertive" className="sr-only">
      {seconds === undefined ? '' : (announcedSeconds[seconds] ?? '')}
    </p>
  )
}

/** The extension for five seconds after it, else what is known of the reserve. */
function ClockBadge({ auction, running }: { auction: Auction; running: boolean }) {
  const extended = useExtension(auction.endsAt)
  if (extended > 0)
    return (
      <Badge tone="warning" icon={<Timer size={12} aria-hidden="true" />}>
        <span className="num">Extended +{formatClock(extended)}</span>
      </Badge>
    )
  if (!running) return null
  return <Badge tone={auction.reserve === 'not_met' ? 'warning' : 'success'}>{reserveText[auction.reserve]}</Badge>
}

/** Seconds that the end has just moved by; 0 otherwise. */
function useExtension(endsAt: string): number {
  const known = useRef(endsAt)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const moved = Math.round((Date.parse(endsAt) - Date.parse(known.current)) * secondsPerMs)
    known.current = endsAt
    if (moved <= 0) return
    setSeconds(moved)
    const timer = setTimeout(() => setSeconds(0), extendedMs)
    return () => clearTimeout(timer)
  }, [endsAt])
  return seconds
}
