import type { DealDetail, DealStage, NextAct } from './schemas/deals.ts'

type Standing = Pick<DealDetail, 'status' | 'may'>

/** What the caller does next on a deal; null where it waits for the other side, or nothing is left to do. */
export function nextActOf({ status, may }: Standing): NextAct | null {
  if (may.approve) return 'approve'
  if (may.complete) return 'complete'
  // Before the seller's approval that is what the deal waits for.
  if (status === 'approved' && may.giveMileage) return 'mileage'
  if (may.sign.length > 0) return 'sign'
  return may.review ? 'review' : null
}

/** Where a deal stands for the caller, as `deal-pipeline.repository.ts` says it of many. */
export function stageOf(deal: Standing): DealStage {
  if (deal.status === 'completed' || deal.status === 'cancelled') return deal.status
  return nextActOf(deal) === null ? 'waiting' : 'turn'
}
