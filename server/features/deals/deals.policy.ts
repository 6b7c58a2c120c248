import {
  type DealAct,
  type DealDetail,
  type DealStatus,
  type DocumentKind,
  documentKinds,
  type ReviewStatus,
} from '#shared/schemas/deals.ts'
import type { Actor } from '#server/platform/session.ts'

interface Parties {
  sellerId: string
  buyerId: string
}

export const isParty = (actor: Actor, { sellerId, buyerId }: Parties): boolean =>
  actor.dealerId === sellerId || actor.dealerId === buyerId

/** The two parties, and admins for the network. */
export const maySee = (actor: Actor, deal: Parties): boolean => isParty(actor, deal) || actor.role === 'admin'

interface DealState extends Parties {
  status: string
  signatures: { kind: string; dealerId: string }[]
  /** A party's plan has the bill of sale, or one of them has signed it while it had. */
  billOfSale: boolean
  mileage: number | null
  reviewStatus: ReviewStatus
  reviewSubmittedAt: Date | null
}

const isSigned = ({ sellerId, buyerId, signatures }: DealState, kind: DocumentKind) =>
  [sellerId, buyerId].every((id) => signatures.some((one) => one.kind === kind && one.dealerId === id))

/** What both sign before the deal is done: the Bill of Sale, or where no plan has it the odometer disclosure. */
const closingPaper = ({ billOfSale }: DealState): DocumentKind => (billOfSale ? 'bill_of_sale' : 'odometer')

/**
 * pending → approved by the seller, approved → completed by the buyer once both have signed the paper that closes it, and
 * either party may cancel before that.
 */
export function whatMayBeDone(actor: Actor, deal: DealState, reviewed: boolean): DealDetail['may'] {
  const seller = actor.dealerId === deal.sellerId
  const buyer = actor.dealerId === deal.buyerId
  const party = seller || buyer
  const [pending, approved] = [deal.status === 'pending', deal.status === 'approved']
  const unsigned = documentKinds.filter(
    (kind) =>
      (kind !== 'bill_of_sale' || deal.billOfSale) &&
      (kind !== 'odometer' || deal.mileage !== null) &&
      !deal.signatures.some((one) => one.kind === kind && one.dealerId === actor.dealerId),
  )
  return {
    approve: seller && pending,
    cancel: party && (pending || approved),
    complete: buyer && approved && isSigned(deal, closingPaper(deal)),
    giveMileage: seller && (pending || approved) && deal.mileage === null,
    sign: party && approved ? unsigned : [],
    submit: party && (pending || approved) && (deal.reviewSubmittedAt === null || deal.reviewStatus === 'rejected'),
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
  complete: 'The buyer completes the deal once both parties have signed its papers',
}
