import {
  type AbsentParty,
  type DealAct,
  type DealDetail,
  type DealStatus,
  type DocumentKind,
  documentKinds,
  type ReviewStatus,
} from '#shared/schemas/deals.ts'
import type { Actor } from '#server/platform/session/session.ts'

export interface Parties {
  sellerId: string
  buyerId: string
}

type Party = Pick<Actor, 'dealerId'>

export const isParty = (actor: Party, { sellerId, buyerId }: Parties): boolean =>
  actor.dealerId === sellerId || actor.dealerId === buyerId

export const maySee = (actor: Actor, deal: Parties): boolean => isParty(actor, deal) || actor.role === 'admin'

interface DealState extends Parties {
  status: string
  signatures: { kind: string; dealerId: string }[]
  /** True if a party's plan includes the bill of sale, or one of the parties has signed it. */
  billOfSale: boolean
  mileage: number | null
  reviewStatus: ReviewStatus
  reviewSubmittedAt: Date | null
  absent: readonly AbsentParty[]
}

const isSigned = ({ sellerId, buyerId, signatures }: Omit<DealState, 'absent'>, kind: DocumentKind) =>
  [sellerId, buyerId].every((id) => signatures.some((one) => one.kind === kind && one.dealerId === id))

/** Both parties must sign this document before the buyer can complete the deal. */
const closingPaper = ({ billOfSale }: Pick<DealState, 'billOfSale'>): DocumentKind =>
  billOfSale ? 'bill_of_sale' : 'odometer'

export const canBeCompleted = (deal: Omit<DealState, 'absent'>): boolean =>
  deal.status === 'approved' && isSigned(deal, closingPaper(deal))

const canBeSigned = ({ billOfSale, mileage }: DealState, kind: DocumentKind): boolean =>
  kind === 'bill_of_sale' ? billOfSale : mileage !== null

export const isOpen = ({ status }: Pick<DealState, 'status'>): boolean => status === 'pending' || status === 'approved'

/** A deal can be submitted once, and again after each rejection. */
const canBeSubmitted = (deal: DealState): boolean =>
  isOpen(deal) && (deal.reviewSubmittedAt === null || deal.reviewStatus === 'rejected')

const documentsToSign = (actor: Party, deal: DealState): DocumentKind[] =>
  documentKinds.filter(
    (kind) =>
      isParty(actor, deal) &&
      deal.status === 'approved' &&
      canBeSigned(deal, kind) &&
      !deal.signatures.some((one) => one.kind === kind && one.dealerId === actor.dealerId),
  )

const absenceOf = ({ absent }: DealState, side: AbsentParty['side']) => absent.find((one) => one.side === side)?.is

/** The seller approves. The buyer completes once both have signed the closing document. Either party may cancel an open deal. */
export function allowedActs(actor: Party, deal: DealState, reviewed: boolean): DealDetail['may'] {
  const seller = actor.dealerId === deal.sellerId
  const buyer = actor.dealerId === deal.buyerId
  const party = seller || buyer
  return {
    approve: seller && deal.status === 'pending' && absenceOf(deal, 'buyer') === undefined,
    cancel: party && isOpen(deal),
    complete: buyer && canBeCompleted(deal),
    giveMileage: seller && isOpen(deal) && deal.mileage === null,
    sign: documentsToSign(actor, deal),
    submit: party && canBeSubmitted(deal),
    review: party && deal.status === 'completed' && !reviewed,
  }
}

export const statusAfter: Record<DealAct, DealStatus> = {
  approve: 'approved',
  cancel: 'cancelled',
  complete: 'completed',
}

const refusals: Record<DealAct, string> = {
  approve: 'Only the seller can approve a pending deal',
  cancel: 'This deal can no longer be cancelled',
  complete: 'The buyer completes the deal once both parties have signed its documents',
}

const refusedToApprove = {
  unavailable: 'The buyer cannot buy right now. Approve the deal later, or cancel it',
  deleted: 'The buyer is no longer on Lanewire. Cancel the deal to close it',
} as const

export function refusalOf(act: DealAct, { dealerId }: Party, deal: DealState): string {
  const buyer = absenceOf(deal, 'buyer')
  const isTheirs = act === 'approve' && dealerId === deal.sellerId && deal.status === 'pending'
  return isTheirs && buyer ? refusedToApprove[buyer] : refusals[act]
}
