export interface PromotionDomainEvents {
  /** A promotion was changed. Clients refetch their promotions. */
  'promotions.changed': { promotionId: string }
}
