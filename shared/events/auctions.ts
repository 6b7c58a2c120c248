import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionEvents {
  /**
   * Sent at most ten times a second to viewers of the post, and at most once per 600 ms to unfocused Lane panes. Ignore events
   * with an older `seq`. `bids` holds the last `shownBidsMax` bids.
   */
  'auction.state': (event: AuctionState) => void
  /** Sent to the dealer who was leading before a higher bid. `amount` is in dollars. */
  'auction.outbid': (event: { postId: string; title: string; amount: number; seq: number }) => void
}
