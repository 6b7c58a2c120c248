import { nextActOf } from '#shared/deal-rules.ts'
import type { DealDetail, DocumentKind } from '#shared/schemas/deals.ts'

/** `stopped`: the deal was cancelled before this step. */
type StepState = 'done' | 'current' | 'coming' | 'stopped'

export interface PathStep {
  label: string
  state: StepState
  /** When the step was done, or the deal cancelled; null if that is not recorded. */
  at: string | null
}

const timeOf = ({ steps }: DealDetail, kind: string): string | null =>
  steps.findLast((step) => step.kind === kind)?.at ?? null

const isOpen = ({ status }: DealDetail): boolean => status === 'pending' || status === 'approved'

/** The paper that both parties sign before the deal can be completed. */
const closingPaper = ({ billOfSaleNeeds }: DealDetail): DocumentKind =>
  billOfSaleNeeds === null ? 'bill_of_sale' : 'odometer'

/** The times of the parties' signatures on the closing paper. */
const signedAt = (deal: DealDetail): string[] =>
  deal.signatures.flatMap((one) => (one.kind === closingPaper(deal) ? [one.signedAt] : [])).toSorted()

/** True once both can sign every paper that the parties' plans include. */
function arePapersReady(deal: DealDetail): boolean {
  const papers = deal.documents.filter(({ kind }) => kind === 'odometer' || deal.billOfSaleNeeds === null)
  return papers.length > 0 && papers.every(({ ready }) => ready) && deal.mileage !== null
}

/** The deal's steps from agreement to pickup. A step that is done never follows one that is not. */
export function pathOf(deal: DealDetail): PathStep[] {
  const signatures = signedAt(deal)
  const isOver = deal.status === 'completed'
  const isSigned = isOver || signatures.length > 1
  const approvedAt = timeOf(deal, 'approved')
  const isApproved = isSigned || deal.status === 'approved' || approvedAt !== null
  const steps: { label: string; isDone: boolean; at: string | null }[] = [
    { label: 'Agreed', isDone: true, at: deal.createdAt },
    { label: 'Approved', isDone: isApproved, at: approvedAt },
    { label: 'Papers', isDone: isSigned || (isApproved && arePapersReady(deal)), at: null },
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

/** The side that an open deal waits for. `held`: a party cannot act, so nobody can. */
export type Turn = 'you' | 'other' | 'both' | 'held' | 'nobody'

export function turnOf(deal: DealDetail): Turn {
  if (!isOpen(deal)) return 'nobody'
  const isYours = nextActOf(deal) !== null
  if (deal.waitsFor !== null) return isYours ? 'both' : 'other'
  if (isYours) return 'you'
  return deal.absent.length > 0 ? 'held' : 'nobody'
}

/** Since when the current step has been open, if that is recorded. */
export function waitingSince(deal: DealDetail): string | null {
  if (!isOpen(deal)) return null
  const done = pathOf(deal).filter(({ state }) => state === 'done')
  // Papers have no time of their own: they follow the approval at once.
  return done.findLast(({ at }) => at !== null)?.at ?? null
}
