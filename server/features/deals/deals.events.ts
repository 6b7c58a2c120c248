import type { DealStatus, OfferStatus, OfferTurn } from '#shared/schemas/deals.ts'

export interface DealDomainEvents {
  /** A deal was made or changed its status. `actorId` is null where time or an auction did it. */
  'deal.changed': { dealId: string; sellerId: string; buyerId: string; status: DealStatus; actorId: string | null }
  /** An offer was made, answered or ran out. `amount` in dollars; `turn` says who answers next while it is open. */
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
  /** Draws one version of a deal's paper. */
  'deal.document': { documentId: string }
}
