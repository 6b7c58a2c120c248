import { nameOfBidder } from '#client/lib/auction/auction-state.ts'
import { kindFor } from '#client/lib/auction/bid-arming.ts'
import type { Bidding } from '#client/lib/auction/bidding.ts'
import { cx } from '#client/ui/cx.ts'
import { formatExactTime, formatMoney, plural } from '#client/ui/format.ts'
import { Switch } from '#client/ui/switch.tsx'
import type { Auction, Bid } from '#shared/schemas/auctions.ts'
import { BidButtons } from './bid-buttons.tsx'

const stepsShown = 3

interface BidLadderProps {
  auction: Auction
  bidding: Bidding
  blocked: string | undefined
  blockedId: string
  oneTap: boolean
  onOneTap: (on: boolean) => void
  /** False for the seller, and for everyone once the auction has ended. */
  canBid: boolean
}

export function BidLadder({ auction, bidding, blocked, blockedId, oneTap, onOneTap, canBid }: BidLadderProps) {
  const bidHint = oneTap ? 'One tap places the bid' : 'Press, then confirm'
  const hint = kindFor(auction) === 'max' ? "You're leading. These buttons raise your maximum" : bidHint
  return (
    <section aria-label="Bid ladder" className="border-t border-line">
      <div className="flex min-h-10 items-center justify-between gap-3 px-5 py-2 max-md:px-4">
        <h3 className="text-sm font-semibold">Bid ladder</h3>
        {canBid ? <span className="text-xs text-ink-2">{hint}</span> : null}
      </div>
      <div className="relative px-5 pb-3 before:absolute before:top-5 before:bottom-6 before:left-[1.6875rem] before:border-l-2 before:border-dashed before:border-line-strong max-md:px-4 max-md:before:left-[1.4375rem]">
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

export function BidHistory({ auction }: { auction: Auction }) {
  return (
    <section aria-label="Bid history" className="border-t border-line">
      <div className="flex min-h-10 items-center justify-between gap-3 px-5 py-2 max-md:px-4">
        <h3 className="text-sm font-semibold">Bid history</h3>
        <span className="num text-xs text-ink-2">{plural(auction.bidCount, 'bid')}</span>
      </div>
      {auction.bids.length > 0 ? (
        <table className="num w-full">
          <caption className="sr-only">Bids, newest first</caption>
          <thead>
            <tr className="bg-sunken text-xs font-medium text-ink-2">
              {['Time', 'Bidder', 'Raise', 'Amount'].map((title, index) => (
                <th
                  key={title}
                  scope="col"
                  className={cx(
                    'border-y border-line px-3 py-1 font-medium first:pl-5 last:pr-5 max-md:first:pl-4 max-md:last:pr-4',
                    index > 1 ? 'text-right' : 'text-left',
                  )}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {auction.bids.map((bid, index) => (
              <HistoryRow key={bid.seq} auction={auction} bid={bid} before={auction.bids[index + 1]} />
            ))}
          </tbody>
        </table>
      ) : (
        <p className="px-5 pb-4 text-ink-2 max-md:px-4">
          {auction.status === 'open' ? 'No bids yet.' : 'No bids were placed.'}
        </p>
      )}
    </section>
  )
}

function HistoryRow({ auction, bid, before }: { auction: Auction; bid: Bid; before: Bid | undefined }) {
  const mine = bid.bidder === auction.you.number
  const cell = 'px-3 py-1 first:pl-5 last:pr-5 max-md:first:pl-4 max-md:last:pr-4'
  const raise = before && before.seq === bid.seq - 1 ? `+${formatMoney(bid.amount - before.amount)}` : ''
  return (
    <tr className={cx('border-b border-line last:border-b-0', mine && 'bg-accent-soft')}>
      <td className={cx(cell, 'text-ink-2')}>{formatExactTime(bid.at)}</td>
      <td className={cx(cell, mine && 'font-semibold')}>
        {nameOfBidder(auction, bid.bidder)}
        {bid.auto ? <span className="text-xs font-normal text-ink-2"> · auto</span> : null}
      </td>
      <td className={cx(cell, 'text-right text-ink-2')}>{raise}</td>
      <td className={cx(cell, 'text-right font-semibold')}>{formatMoney(bid.amount)}</td>
    </tr>
  )
}
