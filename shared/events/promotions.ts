export interface PromotionEvents {
  /** Has no content, because visibility depends on the dealer's plan. Refetch the promotions. */
  'promotions.changed': (event: Record<string, never>) => void
}
