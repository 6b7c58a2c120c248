import {
  type DealAct,
  type DealDetail,
  type DealStatus,
  type DocumentKind,
  documentKinds,
  type ReviewStatus,
} from '#shared/schemas/deals.ts'
import type { Actor } from '#server/platform/session/session.ts'

interface Parties {
  sellerId: string
  buyerId: string
}

export const isParty = (actor: Actor, { sellerId, buyerId }: Parties): boolean =>
  actor.dealerId === sellerId || actor.dealerId === buyerId

export const maySee = (actor: Actor, deal: Parties): boolean => isParty(actor, deal) || actor.role === 'admin'

interface DealState extends Parties {
  status: string
  signatures: { kind: string; dealerId: string }[]
  /** True if a party's plan includes the bill of sale, or one of them has signed it. */
  billOfSale: boolean
  mileage: number | null
  reviewStatus: ReviewStatus
  reviewSubmittedAt: Date | null
}

const isSigned = ({ sellerId, buyerId, signatures }: DealState, kind: DocumentKind) =>
  [sellerId, buyerId].every((id) => signatures.some((one) => one.kind === kind && one.dealerId === id))

/** The paper that both have to sign: the bill of sale, or without a plan for it the mileage statement. */
const closingPaper = ({ billOfSale }: DealState): DocumentKind => (billOfSale ? 'bill_of_sale' : 'odometer')

export const canBeCompleted = (deal: DealState): boolean =>
  deal.status === 'approved' && isSigned(deal, closingPaper(deal))

/** The bill of sale needs a plan; the mileage statement needs a mileage. */
const canBeSigned = ({ billOfSale, mileage }: DealState, kind: DocumentKind): boolean =>
  kind === 'bill_of_sale' ? billOfSale : mileage !== null

const isOpen = ({ status }: DealState): boolean => status === 'pending' || status === 'approved'

/** Submitting for review is possible once, and again after a rejection. */
const canBeSubmitted = (deal: DealState): boolean =>
  isOpen(deal) && (deal.reviewSubmittedAt === null || deal.reviewStatus === 'rejected')

const toSignBy = (actor: Actor, deal: DealState): DocumentKind[] =>
  documentKinds.filter(
    (kind) =>
      isParty(actor, deal) &&
      deal.status === 'approved' &&
      canBeSigned(deal, kind) &&
      !deal.signatures.some((one) => one.kind === kind && one.dealerId === actor.dealerId),
  )

/**
 * Transitions: pending to approved by the seller; approved to completed by the buyer, after both have signed the
 * closing paper; cancelled by either party before that.
 */
export function whatMayBeDone(actor: Actor, deal: DealState, reviewed: boolean): DealDetail['may'] {
  const seller = actor.dealerId === deal.sellerId
  const buyer = actor.dealerId === deal.buyerId
  const party = seller || buyer
  return {
    approve: seller && deal.status === 'pending',
    cancel: party && isOpen(deal),
    complete: buyer && canBeCompleted(deal),
    giveMileage: seller && isOpen(deal) && deal.mileage === null,
    sign: toSignBy(actor, deal),
    submit: party && canBeSubmitted(deal),
    review: party && deal.status === 'completed' && !reviewed,
  }
}

export const statusAfter: Record<DealAct, DealStatus> = {
  approve: 'approved',
  cancel: 'cancelled',
  complete: 'completed',
}

export const refusals: Record<DealAct, string> = {
  approve: 'Only the seller can approve a pending deal',
  cancel: 'This deal can no longer be cancelled',
  complete: 'The buyer completes the deal once both parties have signed its documents',
}
