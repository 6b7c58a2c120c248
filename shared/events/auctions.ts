import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionEvents {
  /** At most ten a second, or one per 600 ms for unfocused Lane panes. Ignore events with an older `seq`. `bids` holds the newest bids. */
  'auction.state': (event: AuctionState) => void
  /** Sent to the dealer whose bid was the highest until then. `amount` is in dollars. */
  'auction.outbid': (event: { postId: string; title: string; amount: number; seq: number }) => void
}
