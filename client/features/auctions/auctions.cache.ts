import { bidHistoryMax } from '#shared/limits.ts'
import type { Auction, AuctionState, Bid, PlacedBid } from '#shared/schemas/auctions.ts'

function mergeBids(known: readonly Bid[], heard: readonly Bid[]): Bid[] {
  const bySeq = new Map([...known, ...heard].map((bid) => [bid.seq, bid]))
  return [...bySeq.values()].toSorted((a, b) => b.seq - a.seq).slice(0, bidHistoryMax)
}

/** What an event changes: bids are gathered whatever their order, the rest is the newest's. */
export function withState(auction: Auction, state: AuctionState): Auction {
  // An auction that begins anew forgets its bids.
  const bids = mergeBids(auction.bids, state.bids).slice(
    0,
    Math.max(state.seq > auction.seq ? 0 : auction.bidCount, state.bidCount),
  )
  if (state.seq <= auction.seq) return { ...auction, bids }
  const leads = auction.you.number !== null && state.leader === auction.you.number
  return { ...auction, ...state, bids, you: { ...auction.you, maximum: leads ? auction.you.maximum : null } }
}

/** What the answer to one's own bid tells before the event does. `seq` is left to the event, which knows everything. */
export function withPlacedBid(auction: Auction, placed: PlacedBid, kind: 'bid' | 'max', amount: number): Auction {
  const { number, leading } = placed
  const maximum = kind === 'max' ? amount : (auction.you.maximum ?? amount)
  const you = { ...auction.you, number, maximum: leading ? maximum : null }
  if (placed.seq <= auction.seq) return { ...auction, you }
  return {
    ...auction,
    you,
    amount: placed.amount,
    minNext: placed.amount + auction.increment,
    endsAt: placed.endsAt,
    leader: leading ? number : auction.leader,
  }
}

/** Bids are missing between the newest and the oldest known: more happened at once than an event tells. */
export function hasGap({ bids }: Pick<Auction, 'bids'>): boolean {
  const [newest, oldest] = [bids[0], bids.at(-1)]
  return newest !== undefined && oldest !== undefined && newest.no - oldest.no >= bids.length
}
