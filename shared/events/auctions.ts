import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionEvents {
  /**
   * At most ten a second to who has the post on screen, at most one in 600 ms to who has it as a place of the Lane without the focus; the
   * newest wins. `bids` holds the last `bidsTold`.
   */
  'auction.state': (event: AuctionState) => void
  /** To the dealer who led until now. `amount` in dollars. */
  'auction.outbid': (event: { postId: string; title: string; amount: number; seq: number }) => void
}
