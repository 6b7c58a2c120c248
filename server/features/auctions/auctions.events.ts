import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionDomainEvents {
  /** Listeners must read the auction's current state themselves. */
  'auction.changed': { postId: string }
  /** This process accepted bids, up to `seq`. `decidedAt` is the database's time. */
  'auction.decided': { postId: string; seq: number; decidedAt: Date }
  /** The state that is sent to watchers, or null if the auction is no longer visible. Published only within this process. */
  'auction.read': { postId: string; state: AuctionState | null }
  'auction.placed': { postId: string; dealerId: string }
  /** `dealerId` no longer leads the auction. `amount` is the new highest bid in dollars. */
  'auction.outbid': { postId: string; dealerId: string; title: string; amount: number; seq: number }
  /** `dealerId` won the auction and has a deal. `amount` is in dollars. */
  'auction.won': { postId: string; dealerId: string; sellerId: string; dealId: string; amount: number }
  /** The auction ended below the reserve. The seller has 24 hours to answer the offer that was created from the highest bid. */
  'auction.undecided': { postId: string; sellerId: string; bidderId: string; offerId: string; amount: number }
  'auction.unsold': { postId: string; sellerId: string }
}

export interface AuctionJobs {
  'auction.close': { postId: string }
  /** Places the preset maximums when bidding opens. */
  'auction.presets': { postId: string }
}
