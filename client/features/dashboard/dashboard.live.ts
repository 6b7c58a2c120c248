import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { dashboardQuery } from './dashboard.api.ts'

export const dashboardInbox = {
  deal: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
  subscription: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
} satisfies InboxHandlers
