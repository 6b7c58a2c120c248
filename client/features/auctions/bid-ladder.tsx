import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import { Switch } from '#client/ui/switch.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import { nameOfBidder } from './auction-state.ts'
import { BidButtons } from './bid-buttons.tsx'
import { kindFor } from './bid-rungs.ts'
import type { Bidding } from './use-bidding.ts'

const stepsShown = 3

interface BidLadderProps {
  auction: Auction
  bidding: Bidding
  blocked: string | undefined
  blockedId: string
  oneTap: boolean
  onOneTap: (on: boolean) => void
  /** Sellers and those who come after the end only look. */
  canBid: boolean
}

/** The buttons on top of the last bids, joined by the rail. */
export function BidLadder({ auction, bidding, blocked, blockedId, oneTap, onOneTap, canBid }: BidLadderProps) {
  const bidHint = oneTap ? 'One tap places the bid' : 'Press, then confirm'
  const hint = kindFor(auction) === 'max' ? 'You lead: these raise your maximum' : bidHint
  return (
    <section aria-label="Bid ladder" className="border-t border-line">
      <div className="flex min-h-10 items-center justify-between gap-3 px-5 py-2 max-md:px-4">
        <h3 className="text-sm font-semibold">Bid ladder</h3>
        {canBid ? <span className="text-xs text-ink-2">{hint}</span> : null}
      </div>
      <div className="relative px-5 pb-3 before:absolute before:top-5 before:bottom-6 before:left-[27px] before:border-l-2 before:border-dashed before:border-line-strong max-md:px-4 max-md:before:left-[23px]">
        {canBid ? (
          <div className="relative max-md:hidden">
            <BidButtons auction={auction} bidding={bidding} blocked={blocked} blockedId={blockedId} />
          </div>
        ) : null}
        <Steps auction={auction} />
      </div>
      {canBid ? (
        <div className="px-5 pb-3 max-md:px-4">
          <Switch label="One-tap bids" checked={oneTap} onChange={onOneTap} />
        </div>
      ) : null}
    </section>
  )
}

function Steps({ auction }: { auction: Auction }) {
  const bids = auction.bids.slice(0, stepsShown)
  const over = auction.status !== 'open'
  if (bids.length === 0)
    return <p className="relative ml-7 bg-raised px-4 py-1 text-ink-2">{over ? 'No bids' : 'No bids yet'}</p>
  const highest = auction.status === 'sold' ? 'Winning bid' : 'Highest bid'
  const top = over ? highest : 'Current bid'
  const othersTone = auction.you.number === null ? 'bg-hover text-ink' : 'bg-danger-soft text-danger-ink'
  return (
    <ol className="relative">
      {bids.map((bid, index) => {
        const mine = bid.bidder === auction.you.number
        const name = nameOfBidder(auction, bid.bidder)
        const current = index === 0
        const tone = mine ? 'bg-success-soft text-success-ink' : othersTone
        return (
          <li
            key={bid.seq}
            className={cx(
              'relative ml-7 flex items-center justify-between gap-3 px-4',
              'before:absolute before:-left-6 before:rounded-full before:shadow-[0_0_0_3px_var(--lw-raised)]',
              current
                ? cx('h-9 rounded-md font-semibold before:-ml-0.5 before:size-3 before:bg-current', tone)
                : 'h-7 text-ink-2 before:size-2 before:bg-line-strong',
            )}
          >
            <span className="truncate">{current ? `${top}, ${mine ? 'yours' : name}` : name}</span>
            <span className="num">{formatMoney(bid.amount)}</span>
          </li>
        )
      })}
    </ol>
  )
}
