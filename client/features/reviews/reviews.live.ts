import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { reviewsKey } from './reviews.api.ts'

export const reviewsInbox = {
  deal: (cache) => void cache.invalidateQueries({ queryKey: reviewsKey }),
} satisfies InboxHandlers
