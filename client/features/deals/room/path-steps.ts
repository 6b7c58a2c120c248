import { nextActOf } from '#shared/deal-rules.ts'
import type { DealDetail, DocumentKind } from '#shared/schemas/deals.ts'

/** `stopped` means that the deal was canceled while this step was the current one. */
type StepState = 'done' | 'current' | 'coming' | 'stopped'

export interface PathStep {
  label: string
  state: StepState
  /** When the step was done or the deal was canceled. Null if this was not recorded. */
  at: string | null
}

const timeOf = ({ steps }: DealDetail, kind: string): string | null =>
  steps.findLast((step) => step.kind === kind)?.at ?? null

const isOpen = ({ status }: DealDetail): boolean => status === 'pending' || status === 'approved'

/** Returns the document that both parties must sign before the deal can be completed. */
const closingPaper = ({ billOfSaleNeeds }: DealDetail): DocumentKind =>
  billOfSaleNeeds === null ? 'bill_of_sale' : 'odometer'

const signedAt = (deal: DealDetail): string[] =>
  deal.signatures.flatMap((one) => (one.kind === closingPaper(deal) ? [one.signedAt] : [])).toSorted()

/** True once the mileage is known and every document that the parties' plans include is ready to sign. */
function arePapersReady(deal: DealDetail): boolean {
  const papers = deal.documents.filter(({ kind }) => kind === 'odometer' || deal.billOfSaleNeeds === null)
  return papers.length > 0 && papers.every(({ ready }) => ready) && deal.mileage !== null
}

/** Returns the steps of the deal for display. A step is done only if all earlier steps are done. */
export function pathOf(deal: DealDetail): PathStep[] {
  const signatures = signedAt(deal)
  const isOver = deal.status === 'completed'
  const isSigned = isOver || signatures.length > 1
  const approvedAt = timeOf(deal, 'approved')
  const isApproved = isSigned || deal.status === 'approved' || approvedAt !== null
  const steps: { label: string; isDone: boolean; at: string | null }[] = [
    { label: 'Agreed', isDone: true, at: deal.createdAt },
    { label: 'Approved', isDone: isApproved, at: approvedAt },
    { label: 'Documents', isDone: isSigned || (isApproved && arePapersReady(deal)), at: null },
    { label: 'Signed', isDone: isSigned, at: signatures[1] ?? null },
    { label: 'Picked up', isDone: isOver, at: timeOf(deal, 'completed') },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  const isStopped = deal.status === 'cancelled'
  return steps.map(({ label, isDone, at }, index) => {
    if (isDone) return { label, state: 'done', at }
    if (index > next) return { label, state: 'coming', at: null }
    return { label, state: isStopped ? 'stopped' : 'current', at: isStopped ? timeOf(deal, 'cancelled') : null }
  })
}

/** The parties that must act on an open deal. `held`: neither can act, because an account is suspended or deleted. */
export type Turn = 'you' | 'other' | 'both' | 'held' | 'nobody'

export function turnOf(deal: DealDetail): Turn {
  if (!isOpen(deal)) return 'nobody'
  const isYours = nextActOf(deal) !== null
  if (deal.waitsFor !== null) return isYours ? 'both' : 'other'
  if (isYours) return 'you'
  return deal.absent.length > 0 ? 'held' : 'nobody'
}

/** Returns when the current step began, or null if this was not recorded. */
export function waitingSince(deal: DealDetail): string | null {
  if (!isOpen(deal)) return null
  const done = pathOf(deal).filter(({ state }) => state === 'done')
  // Documents have no time of their own, because they are created immediately after the approval.
  return done.findLast(({ at }) => at !== null)?.at ?? null
}
