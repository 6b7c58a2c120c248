import {
  type DealAct,
  type DealDetail,
  type DealStatus,
  type DocumentKind,
  documentKinds,
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
}

const isSigned = ({ sellerId, buyerId, signatures }: DealState, kind: DocumentKind) =>
  [sellerId, buyerId].every((id) => signatures.some((one) => one.kind === kind && one.dealerId === id))

/**
 * pending → approved by the seller, approved → completed by the buyer once both have signed the Bill of Sale, and
 * either party may cancel before that.
 */
export function whatMayBeDone(actor: Actor, deal: DealState, reviewed: boolean): DealDetail['may'] {
  const seller = actor.dealerId === deal.sellerId
  const buyer = actor.dealerId === deal.buyerId
  const party = seller || buyer
  const [pending, approved] = [deal.status === 'pending', deal.status === 'approved']
  const unsigned = documentKinds.filter(
    (kind) => !deal.signatures.some((one) => one.kind === kind && one.dealerId === actor.dealerId),
  )
  return {
    approve: seller && pending,
    cancel: party && (pending || approved),
    complete: buyer && approved && isSigned(deal, 'bill_of_sale'),
    sign: party && approved ? unsigned : [],
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
  complete: 'The buyer completes the deal once both parties have signed the Bill of Sale',
}
