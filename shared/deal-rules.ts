import type { DealDetail, DealStage, NextAct } from './schemas/deals.ts'

type Standing = Pick<DealDetail, 'status' | 'may'>

/** Returns the caller's next action on a deal, or null if there is nothing for the caller to do. */
export function nextActOf({ status, may }: Standing): NextAct | null {
  if (may.approve) return 'approve'
  if (may.complete) return 'complete'
  // Before the seller has approved the deal, it waits for the approval, not for the mileage.
  if (status === 'approved' && may.giveMileage) return 'mileage'
  if (may.sign.length > 0) return 'sign'
  return may.review ? 'review' : null
}

/** Returns a deal's stage for the caller. Must match `deal-pipeline.repository.ts`, which computes it in SQL. */
export function stageOf(deal: Standing): DealStage {
  if (deal.status === 'completed' || deal.status === 'cancelled') return deal.status
  return nextActOf(deal) === null ? 'waiting' : 'turn'
}
