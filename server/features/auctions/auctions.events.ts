import type { AuctionState } from '#shared/schemas/auctions.ts'

export interface AuctionDomainEvents {
  /** How it stands is read when it is told. */
  'auction.changed': { postId: string }
  /** Bids were taken by this process: `seq` is the last of them, `decidedAt` the database's clock. */
  'auction.decided': { postId: string; seq: number; decidedAt: Date }
  /** Read for whoever is told: how it stands, or null where it is not to be seen any more. Of this process alone. */
  'auction.read': { postId: string; state: AuctionState | null }
  /** This dealer's bid was taken. */
  'auction.placed': { postId: string; dealerId: string }
  /** `dealerId` led until now; `amount` in dollars is what leads instead. */
  'auction.outbid': { postId: string; dealerId: string; title: string; amount: number; seq: number }
  /** Closed with a buyer: `dealerId` won and has a deal. `amount` in dollars. */
  'auction.won': { postId: string; dealerId: string; sellerId: string; dealId: string; amount: number }
  /** Closed below the reserve: the seller answers the highest bid's offer within 24 hours. */
  'auction.undecided': { postId: string; sellerId: string; bidderId: string; offerId: string; amount: number }
  /** Closed without a sale. */
  'auction.unsold': { postId: string; sellerId: string }
}

export interface AuctionJobs {
  /** Runs at the auction's end. */
  'auction.close': { postId: string }
  /** Runs when bidding opens: hands in the maximums that wait for it. */
  'auction.presets': { postId: string }
}
