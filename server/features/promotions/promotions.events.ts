export interface PromotionDomainEvents {
  /** A promotion was changed. Clients refetch theirs. */
  'promotions.changed': { promotionId: string }
}
