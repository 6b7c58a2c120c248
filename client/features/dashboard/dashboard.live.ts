import type { InboxHandlers } from '#client/lib/live.ts'
import { dashboardQuery } from './dashboard.api.ts'

/** A deal or a connection of one's own changes the figures, a plan who may see them; the server is asked again. */
export const dashboardInbox = {
  deal: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
  subscription: (cache) => void cache.invalidateQueries({ queryKey: dashboardQuery().queryKey }),
} satisfies InboxHandlers
