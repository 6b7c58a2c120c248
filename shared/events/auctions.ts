import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionEvents {
  /** Sent at most ten times a second, or once per 600 ms to unfocused Lane panes. Ignore events with an older `seq`. */
  'auction.state': (event: AuctionState) => void
  /** Sent to the dealer who was leading before the higher bid. `amount` is in dollars. */
  'auction.outbid': (event: { postId: string; title: string; amount: number; seq: number }) => void
}
