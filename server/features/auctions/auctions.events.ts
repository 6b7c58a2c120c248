import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionDomainEvents {
  /** Listeners read the current state themselves. */
  'auction.changed': { postId: string }
  /** This process accepted bids, up to `seq`. `decidedAt` is the database's time. */
  'auction.decided': { postId: string; seq: number; decidedAt: Date }
  /** The state sent to watchers; null if the auction is not visible anymore. For this process only. */
  'auction.read': { postId: string; state: AuctionState | null }
  'auction.placed': { postId: string; dealerId: string }
  /** `dealerId` no longer leads. `amount` is the new highest bid in dollars. */
  'auction.outbid': { postId: string; dealerId: string; title: string; amount: number; seq: number }
  /** Closed with a sale to `dealerId`, who has a deal. `amount` in dollars. */
  'auction.won': { postId: string; dealerId: string; sellerId: string; dealId: string; amount: number }
  /** Closed below the reserve. The seller has 24 hours to answer the highest bid's offer. */
  'auction.undecided': { postId: string; sellerId: string; bidderId: string; offerId: string; amount: number }
  'auction.unsold': { postId: string; sellerId: string }
}

export interface AuctionJobs {
  'auction.close': { postId: string }
  /** Runs when bidding opens: places the maximums set before. */
  'auction.presets': { postId: string }
}
