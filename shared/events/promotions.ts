export interface PromotionEvents {
  /** Ask again for the running promotions: which ones a dealer sees depends on the dealer's plan. */
  'promotions.changed': (event: Record<string, never>) => void
}
