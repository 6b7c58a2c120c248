import Camera from 'lucide-react/icons/camera'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import Eye from 'lucide-react/icons/eye'
import Gavel from 'lucide-react/icons/gavel'
import Hourglass from 'lucide-react/icons/hourglass'
import Timer from 'lucide-react/icons/timer'
import Trophy from 'lucide-react/icons/trophy'
import WifiOff from 'lucide-react/icons/wifi-off'
import { Fragment, memo, type ReactNode } from 'react'
import {
  type AuctionPhase,
  isBelowReserve,
  nameOfBidder,
  priceLabelOf,
  reserveText,
} from '#client/lib/auction/auction-state.ts'
import { useExtension } from '#client/lib/live/server-clock.ts'
import { useViewers } from '#client/lib/post/viewer-count.ts'
import { Badge } from '#client/ui/badge.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import {
  formatClock,
  formatExactTime,
  formatMileage,
  formatMoney,
  formatNumber,
  formatPlace,
  formatRating,
  nounOf,
  plural,
} from '#client/ui/format.ts'
import { AuctionCost } from '#client/ui/price-with-fee.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { shownBidsMax } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { useLaneParts } from '../lane-context.ts'
import { PositionClock, TimeBar, useClockLength } from '../lane-clock.tsx'
import type { Bar, PositionState } from './lane-position-state.ts'
import { nameOfRow } from '../lists/row-standing.ts'

const tones: Record<Bar['tone'], string> = {
  plain: 'border-line bg-sunken text-ink',
  lead: 'border-success-line bg-success-soft text-success-ink',
  out: 'border-danger-line bg-danger-soft text-danger-ink',
  wait: 'border-warning-line bg-warning-soft text-warning-ink',
  sold: 'border-sold-line bg-sold-soft text-sold-ink',
}

export const barIcons: Record<Bar['icon'], typeof Clock> = {
  clock: Clock,
  gavel: Gavel,
  check: CircleCheck,
  alert: CircleAlert,
  hourglass: Hourglass,
  trophy: Trophy,
  offline: WifiOff,
}

/** Shows the auction's state for this dealer. On a phone, the bar is `tall` and has no position number (`slot`). */
export function PositionBar({
  bar,
  slot,
  tall = false,
  children,
}: {
  bar: Bar
  slot?: number
  tall?: boolean
  children?: ReactNode
}) {
  const Icon = barIcons[bar.icon]
  return (
    <div
      className={cx(
        'flex min-w-0 flex-none items-center border-b',
        tall ? 'min-h-14 gap-3 px-4 py-2' : 'h-9 gap-2 pr-1 pl-2',
        tones[bar.tone],
      )}
    >
      {slot === undefined ? null : (
        <span
          aria-hidden="true"
          className="num inline-flex size-5 flex-none items-center justify-center rounded-sm text-xs font-semibold shadow-[inset_0_0_0_1px_currentColor]"
        >
          {slot}
        </span>
      )}
      <Icon size={tall ? 24 : 16} aria-hidden="true" className="flex-none" />
      <p className={cx('flex min-w-0 flex-1 overflow-hidden', tall ? 'flex-col' : 'items-baseline gap-2')}>
        <b className={cx('font-semibold whitespace-nowrap', tall && 'text-md')}>{bar.title}</b>
        <span className={cx('num min-w-0 truncate text-ink-2', !tall && 'text-xs')}>{bar.detail}</span>
      </p>
      {children}
    </div>
  )
}

const roomyCountMax = 4

interface PositionVehicleProps {
  row: LaneRow
  tall?: boolean
}

/** Memoized, because bids do not change the vehicle. */
export const PositionVehicle = memo(function PositionVehicle({ row, tall = false }: PositionVehicleProps) {
  const { positions } = useLaneParts()
  const always = [row.mileage === null ? '' : formatMileage(row.mileage), formatPlace(row)].filter(Boolean)
  const atEase = [row.color, row.titleWords].filter((fact) => fact !== null)
  // With six positions, these facts are shown only if the positions are wide.
  const spare = !tall && positions.count > roomyCountMax && 'hidden'
  return (
    <div
      className={
        tall
          ? 'grid grid-cols-[8rem_minmax(0,1fr)] gap-3 px-4 pt-3 pb-1'
          : 'grid min-h-16 flex-none grid-cols-[6rem_minmax(0,1fr)] items-start gap-3 @lg/position:block'
      }
    >
      <PositionPhoto row={row} tall={tall} />
      <div className="min-w-0">
        <h2 className="line-clamp-2 text-base font-semibold tracking-title @lg/position:mt-2">{nameOfRow(row)}</h2>
        <p className="num mt-0.5 line-clamp-3 text-xs text-ink-2 @max-lg/position:low:line-clamp-1">
          <Facts of={always} />
          <span className={cx(spare, spare && '@lg/position:inline')}>
            {always.length > 0 && atEase.length > 0 ? <DotSeparator /> : null}
            <Facts of={atEase} />
          </span>
        </p>
        <p className={cx('mt-0.5 flex text-xs text-ink-2', spare, spare && '@lg/position:flex')}>
          <span className="truncate">{row.seller.dealershipName}</span>
          {row.seller.rating === null ? null : (
            <span className="num flex-none whitespace-pre">
              <DotSeparator />
              {formatRating(row.seller.rating)} / 5
            </span>
          )}
        </p>
      </div>
    </div>
  )
})

const Facts = ({ of }: { of: readonly string[] }) =>
  of.map((fact, index) => (
    <Fragment key={fact}>
      {index > 0 ? <DotSeparator /> : null}
      {fact}
    </Fragment>
  ))

function PositionPhoto({ row, tall }: Required<PositionVehicleProps>) {
  const { onPhotos } = useLaneParts()
  const look = cx(
    'relative block w-full overflow-hidden rounded-sm bg-pressed',
    tall ? 'h-21 rounded-md' : 'h-16 @lg/position:h-29',
  )
  if (!row.photoUrl)
    return (
      <span aria-hidden="true" className={cx(look, 'grid! place-items-center text-ink-3')}>
        <Camera size={20} />
      </span>
    )
  return (
    <button
      type="button"
      aria-label={`View ${plural(row.photoCount, 'photo')} of ${nameOfRow(row)}`}
      onClick={() => onPhotos(row)}
      className={cx(look, 'cursor-zoom-in -outline-offset-2')}
    >
      <Picture src={row.photoUrl} alt="" eager sizes="192px" className="absolute inset-0 size-full object-cover" />
      {row.photoCount > 1 ? (
        <span className="num on-photo absolute right-1 bottom-1 inline-flex items-center gap-1 rounded-sm px-1 text-xs leading-5">
          <Camera size={12} aria-hidden="true" />
          {row.photoCount}
        </span>
      ) : null}
    </button>
  )
}

/** Upper estimate of the average letter width, in em. Used to choose a font size at which price and time fit the narrowest position. */
const letterEm = 0.58
/** The total width of padding and gaps around the price and the time. */
const aroundFigures = '3rem'

function tintOf(auction: Auction, state: PositionState): string | undefined {
  if (state === 'outbid') return 'bg-danger-soft'
  if (state !== 'winning') return undefined
  return isBelowReserve(auction) ? 'bg-warning-soft' : 'bg-success-soft'
}

export function PositionFigures({
  auction,
  phase,
  state,
}: {
  auction: Auction
  phase: AuctionPhase
  state: PositionState
}) {
  const isRemoved = state === 'removed'
  const timeLetters = useClockLength(auction)
  const isQuiet = state === 'paused' || isRemoved
  const clockLabel = { coming: 'Starts in', running: 'Time left' }[phase as string] ?? 'Ended'
  const price = formatMoney(auction.amount ?? auction.startAmount)
  const tint = tintOf(auction, state)
  const letters = price.length + (isRemoved ? 0 : timeLetters)
  return (
    <div className="flex-none">
      <div className="flex justify-between gap-3 text-xs text-ink-2">
        <span>{priceLabelOf(auction, phase)}</span>
        {isRemoved ? null : <span>{clockLabel}</span>}
      </div>
      <div
        className="flex items-baseline justify-between gap-3 text-xl font-semibold tracking-xl"
        style={{ fontSize: `min(var(--text-xl), (100cqi - ${aroundFigures}) / ${letters * letterEm})` }}
      >
        <ChangingNumber
          value={auction.amount ?? 0}
          text={price}
          className={cx('-ml-1 px-1', isQuiet && 'text-ink-3', tint)}
        />
        {isRemoved ? null : <PositionClock auction={auction} quiet={isQuiet} />}
      </div>
      <TimeBar auction={auction} quiet={isQuiet} />
      <AuctionCost auction={auction} phase={phase} oneLine className="mt-1" />
    </div>
  )
}

const reserveTones = { met: 'success', not_met: 'warning', none: 'outline' } as const

/** Shows for five seconds that the end was extended, and otherwise the reserve or the result. */
function StateBadge({ auction, phase, state }: { auction: Auction; phase: AuctionPhase; state: PositionState }) {
  const extended = useExtension(auction.endsAt)
  if (extended > 0)
    return (
      <Badge tone="warning" icon={<Timer size={12} aria-hidden="true" />}>
        <span className="num">Extended +{formatClock(extended)}</span>
      </Badge>
    )
  if (phase === 'coming') return null
  if (state === 'won' || state === 'lost') return <Badge tone="sold">Sold</Badge>
  if (state === 'decidingMine' || state === 'decidingOwn' || state === 'deciding')
    return <Badge tone="warning">Deciding</Badge>
  return <Badge tone={reserveTones[auction.reserve]}>{reserveText[auction.reserve]}</Badge>
}

export function PositionFacts({
  auction,
  phase,
  state,
  children,
}: {
  auction: Auction
  phase: AuctionPhase
  state: PositionState
  children?: ReactNode
}) {
  const viewers = useViewers(auction.postId)
  return (
    <div className="mt-2 low:mt-1 flex min-h-5 flex-none items-center gap-2 overflow-hidden text-xs whitespace-nowrap text-ink-2">
      <StateBadge auction={auction} phase={phase} state={state} />
      <span className="num">{plural(auction.bidCount, 'bid')}</span>
      <span className="flex-1" />
      {children ??
        (viewers === undefined || viewers === 0 ? null : (
          <span className="num inline-flex items-center gap-1">
            <Eye size={14} aria-hidden="true" />
            {formatNumber(viewers)}
            <span className="sr-only"> {nounOf(viewers, 'viewer')}</span>
          </span>
        ))}
    </div>
  )
}

/** Class names for a narrow position. They determine how many of the last four bids are visible, and in which layout. */
const narrowBids = {
  all: '@max-lg/position:min-h-20',
  paired:
    '@max-lg/position:min-h-20 @max-lg/position:low:grid @max-lg/position:low:min-h-10 @max-lg/position:low:grid-cols-2 @max-lg/position:low:gap-x-4 @max-lg/position:low:[&>li]:grid-cols-[minmax(0,1fr)_auto] @max-lg/position:low:[&>li>:first-child]:hidden',
  newest:
    '@max-lg/position:min-h-10 @max-lg/position:low:min-h-5 @max-lg/position:[&>li:nth-child(n+3)]:hidden @max-lg/position:low:[&>li:nth-child(n+2)]:hidden',
}

function narrowBidsOf(positionCount: number): string {
  if (positionCount > roomyCountMax) return narrowBids.newest
  return positionCount === roomyCountMax ? narrowBids.paired : narrowBids.all
}

export function LastBids({ auction }: { auction: Auction }) {
  const { positions } = useLaneParts()
  return (
    <ol
      aria-label="Last bids"
      className={cx(
        'num mt-1 flex-none text-xs text-ink-2 @max-lg/position:low:mt-0 @lg/position:mt-2 @lg/position:min-h-21 @lg/position:border-t @lg/position:border-line @lg/position:pt-1',
        narrowBidsOf(positions.count),
      )}
    >
      {auction.bids.slice(0, shownBidsMax).map((bid) => (
        <li key={bid.seq} className="grid grid-cols-[4.75rem_minmax(0,1fr)_auto] gap-2 leading-5">
          <span>{formatExactTime(bid.at)}</span>
          <span className="truncate">
            {nameOfBidder(auction, bid.bidder)}
            {bid.auto ? ', auto' : ''}
          </span>
          <b className="font-semibold text-ink">{formatMoney(bid.amount)}</b>
        </li>
      ))}
    </ol>
  )
}
