export interface PromotionDomainEvents {
  /** A promotion was made, changed, paused or removed; everybody asks again for theirs. */
  'promotions.changed': { promotionId: string }
}
