import type { DealStatus, OfferStatus, OfferTurn } from '#shared/schemas/deals.ts'

export interface DealDomainEvents {
  /** A deal was created or changed its status. `actorId` is null if time or an auction caused the change. */
  'deal.changed': { dealId: string; sellerId: string; buyerId: string; status: DealStatus; actorId: string | null }
  /** An offer was created, answered or expired. `amount` is in dollars. While the offer is open, `turn` is the side that has to answer. */
  'offer.changed': {
    offerId: string
    postId: string
    sellerId: string
    buyerId: string
    status: OfferStatus
    turn: OfferTurn
    amount: number
    actorId: string | null
  }
}

export interface DealJobs {
  'deal.document': { documentId: string }
}
