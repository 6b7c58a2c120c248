import type { PromotionEvents } from '#shared/events/promotions.ts'
import type { LiveHandlers } from '#client/lib/live/live-queries.ts'
import { runningPromotionsQuery } from './promotions.api.ts'

export const promotionsLive: LiveHandlers<PromotionEvents> = {
  'promotions.changed': (cache) => void cache.invalidateQueries({ queryKey: runningPromotionsQuery().queryKey }),
}
