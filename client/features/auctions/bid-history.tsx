import { cx } from '#client/ui/cx.ts'
import { formatMoney, plural } from '#client/ui/format.ts'
import type { Auction, Bid } from '#shared/schemas/auctions.ts'
import { nameOfBidder } from './auction-state.ts'

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit', hour12: false })

/** Every bid, newest first, with what it added. */
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
              <Row key={bid.seq} auction={auction} bid={bid} before={auction.bids[index + 1]} />
            ))}
          </tbody>
        </table>
      ) : (
        <p className="px-5 pb-4 text-ink-2 max-md:px-4">
          {auction.status === 'open' ? 'Nobody has bid yet.' : 'Nobody bid.'}
        </p>
      )}
    </section>
  )
}

function Row({ auction, bid, before }: { auction: Auction; bid: Bid; before: Bid | undefined }) {
  const mine = bid.bidder === auction.you.number
  const cell = 'px-3 py-1 first:pl-5 last:pr-5 max-md:first:pl-4 max-md:last:pr-4'
  const raise = before && before.seq === bid.seq - 1 ? `+${formatMoney(bid.amount - before.amount)}` : ''
  return (
    <tr className={cx('border-b border-line last:border-b-0', mine && 'bg-accent-soft')}>
      <td className={cx(cell, 'text-ink-2')}>{time.format(new Date(bid.at))}</td>
      <td className={cx(cell, mine && 'font-semibold')}>
        {nameOfBidder(auction, bid.bidder)}
        {bid.auto ? <span className="text-xs font-normal text-ink-2"> · auto</span> : null}
      </td>
      <td className={cx(cell, 'text-right text-ink-2')}>{raise}</td>
      <td className={cx(cell, 'text-right font-semibold')}>{formatMoney(bid.amount)}</td>
    </tr>
  )
}
