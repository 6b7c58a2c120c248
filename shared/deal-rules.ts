import type { DealDetail, DealStage, NextAct } from './schemas/deals.ts'

type Standing = Pick<DealDetail, 'status' | 'may'>

/** Returns the caller's next action on a deal, or null if the deal is finished or the other party has to act. */
export function nextActOf({ status, may }: Standing): NextAct | null {
  if (may.approve) return 'approve'
  if (may.complete) return 'complete'
  // Until the seller has approved the deal, it waits for the approval, not for the mileage.
  if (status === 'approved' && may.giveMileage) return 'mileage'
  if (may.sign.length > 0) return 'sign'
  return may.review ? 'review' : null
}

/** Must match `deal-pipeline.repository.ts`, which computes the stage in SQL. */
export function stageOf(deal: Standing): DealStage {
  if (deal.status === 'completed' || deal.status === 'cancelled') return deal.status
  return nextActOf(deal) === null ? 'waiting' : 'turn'
}
