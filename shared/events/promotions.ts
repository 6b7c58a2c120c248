export interface PromotionEvents {
  /** Refetch the running promotions. The event carries none, because visibility depends on the dealer's plan. */
  'promotions.changed': (event: Record<string, never>) => void
}
