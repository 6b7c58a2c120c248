export interface PromotionEvents {
  /** Has no content, because the dealer's plan decides which promotions are visible. Refetch the promotions. */
  'promotions.changed': (event: Record<string, never>) => void
}
