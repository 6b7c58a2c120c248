import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionEvents {
  /** Sent at most ten times a second, but only every 600 ms for unfocused Lane panes. Ignore events with an older `seq`. */
  'auction.state': (event: AuctionState) => void
  /** Sent to the dealer who no longer leads. `amount` is the new highest bid in dollars. */
  'auction.outbid': (event: { postId: string; title: string; amount: number; seq: number }) => void
}
