import type { DealStatus, OfferStatus, OfferTurn } from '#shared/schemas/deals.ts'

export interface DealDomainEvents {
  /** `actorId` is null if no dealer caused the change, for example at the end of an auction. */
  'deal.changed': { dealId: string; sellerId: string; buyerId: string; status: DealStatus; actorId: string | null }
  /** `amount` is in dollars. While the offer is open, `turn` is the side that has to answer. */
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
  /** Updates a dealer's open deals in the other parties' tabs, because the dealer's suspension has ended. */
  'deal.refresh': { dealerId: string }
}
