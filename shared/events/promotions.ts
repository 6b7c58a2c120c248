export interface PromotionEvents {
  /** Sent when promotions changed. Refetch them: the event has no content, because visibility depends on the dealer's plan. */
  'promotions.changed': (event: Record<string, never>) => void
}
