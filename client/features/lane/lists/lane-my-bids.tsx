import { highBidBelowReserve, isBelowReserve } from '#client/lib/auction/auction-state.ts'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { RowClock } from '../lane-clock.tsx'
import { barIcons } from '../position/lane-position-parts.tsx'
import { inStripOrder, modelNameOf, type Standing, standingOf } from './row-standing.ts'
import type { Bar } from '../position/lane-position-state.ts'

interface StandingLook {
  icon: Bar['icon']
  ink: string
  word: string
  tab: string
}

const standingLooks: Record<Standing, StandingLook> = {
  coming: { icon: 'clock', ink: 'text-ink-2', word: 'Upcoming', tab: 'bg-line-strong' },
  open: { icon: 'gavel', ink: 'text-ink-2', word: 'Not bid', tab: 'bg-line-strong' },
  winning: { icon: 'check', ink: 'text-success-ink', word: 'Winning', tab: 'bg-success' },
  outbid: { icon: 'alert', ink: 'text-danger-ink', word: 'Outbid', tab: 'bg-danger' },
  closing: { icon: 'hourglass', ink: 'text-warning-ink', word: 'Closing', tab: 'bg-warning' },
  won: { icon: 'trophy', ink: 'text-sold-ink', word: 'Won', tab: 'bg-sold' },
  deciding: { icon: 'hourglass', ink: 'text-warning-ink', word: 'Deciding', tab: 'bg-warning' },
  over: { icon: 'gavel', ink: 'text-ink-2', word: 'Ended', tab: 'bg-line-strong' },
}

const belowReserve: StandingLook = {
  icon: 'hourglass',
  ink: 'text-warning-ink',
  word: highBidBelowReserve,
  tab: 'bg-warning',
}

/** Returns the label, icon and colors of a standing. A leading bid below the reserve does not look like a winning bid. */
export const standingLookOf = ({ auction }: Pick<LaneRow, 'auction'>, standing: Standing): StandingLook =>
  standing === 'winning' && isBelowReserve(auction) ? belowReserve : standingLooks[standing]

const isTimed = (standing: Standing) => standing === 'winning' || standing === 'outbid' || standing === 'open'

interface LaneMyBidsProps {
  mine: readonly LaneRow[]
  nowMs: number
  slotOf: (postId: string) => number | undefined
  focused: number | undefined
  onOpen: (row: LaneRow) => void
}

export function LaneMyBids({ mine, nowMs, slotOf, focused, onOpen }: LaneMyBidsProps) {
  return (
    <section
      aria-label="My auctions"
      className="flex min-h-13 flex-none items-center gap-2 border-b border-line bg-sunken px-4 py-1"
    >
      <h2 className="flex flex-none items-center gap-2 text-xs font-medium text-ink-2 max-md:sr-only">
        My auctions
        <Count value={mine.length} tone="quiet" />
      </h2>
      {mine.length === 0 ? (
        <p className="text-xs text-ink-2">Auctions you bid on appear here.</p>
      ) : (
        <ul className="scrollbar-none relative flex min-w-0 flex-1 gap-2 overflow-x-auto p-0.5" tabIndex={-1}>
          {inStripOrder(mine, nowMs).map((row) => (
            <li key={row.postId} className="max-w-50 min-w-36 flex-1">
              <StripPill
                row={row}
                standing={standingOf(row, nowMs)}
                slot={slotOf(row.postId)}
                isFocused={focused !== undefined && slotOf(row.postId) === focused}
                onOpen={() => onOpen(row)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface StripPillProps {
  row: LaneRow
  standing: Standing
  slot: number | undefined
  isFocused: boolean
  onOpen: () => void
}

function StripPill({ row, standing, slot, isFocused, onOpen }: StripPillProps) {
  const { icon, ink, word } = standingLookOf(row, standing)
  const Icon = barIcons[icon]
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-current={isFocused || undefined}
      className="grid h-10 w-full grid-cols-[auto_minmax(0,1fr)] items-center gap-2 rounded-md border border-line bg-surface pr-2.5 pl-2 text-left whitespace-nowrap hover:border-line-strong aria-current:border-accent aria-current:shadow-[0_0_0_1px_var(--lw-accent)] max-md:h-12"
    >
      <Icon size={16} aria-hidden="true" className={ink} />
      <span className="min-w-0">
        <span className="block truncate text-xs text-ink-2">
          {slot === undefined ? null : <b className="num mr-1 font-semibold text-ink">{slot}</b>}
          {modelNameOf(row)}
        </span>
        <span className="flex items-baseline justify-between gap-2">
          <span className="num font-semibold">{formatMoney(row.auction.amount ?? row.auction.startAmount)}</span>
          <span className="sr-only">{word}</span>
          {isTimed(standing) ? (
            <RowClock auction={row.auction} className="text-xs text-ink-2" />
          ) : (
            <span aria-hidden="true" className={cx('text-xs', ink)}>
              {word.toLowerCase()}
            </span>
          )}
        </span>
      </span>
    </button>
  )
}
