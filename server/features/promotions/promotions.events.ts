export interface PromotionDomainEvents {
  /** Clients refetch their promotions. */
  'promotions.changed': { promotionId: string }
}
