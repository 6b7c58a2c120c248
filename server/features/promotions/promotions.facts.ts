export interface PromotionFacts {
  /** A promotion was made, changed, paused or removed; everybody asks again for theirs. */
  'promotions.changed': { promotionId: string }
}
