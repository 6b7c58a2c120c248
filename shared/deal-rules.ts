import type { DealDetail, DealStage, NextAct } from './schemas/deals.ts'

type Standing = Pick<DealDetail, 'status' | 'may'>

/** Returns the caller's next action on a deal, or null if the deal is finished or the other party has to act. */
export function nextActOf({ status, may }: Standing): NextAct | null {
  if (may.approve) return 'approve'
  if (may.complete) return 'complete'
  // A deal that is not approved waits for the seller's approval first.
  if (status === 'approved' && may.giveMileage) return 'mileage'
  if (may.sign.length > 0) return 'sign'
  return may.review ? 'review' : null
}

/** Returns the deal's stage for the caller. Must match `deal-pipeline.repository.ts`, which computes it in SQL. */
export function stageOf(deal: Standing): DealStage {
  if (deal.status === 'completed' || deal.status === 'cancelled') return deal.status
  return nextActOf(deal) === null ? 'waiting' : 'turn'
}
