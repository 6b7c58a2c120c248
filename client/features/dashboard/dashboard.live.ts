import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { dashboardQuery } from './dashboard.api.ts'

/** The dealer's deals, connections and plan all affect the figures. */
export const dashboardInbox = {
  deal: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
  subscription: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
} satisfies InboxHandlers
