import { feedLoadSize, feedMaxLimit, feedPageSize } from '#shared/limits.ts'

export type FeedView = 'list' | 'grid' | 'compact'

interface FeedPreferences {
  /** Posts revealed at a time. */
  pageSize: number
  /** Posts loaded at a time: what is revealed at once is there at once. */
  loadSize: number
  view: FeedView
  /** Whether the feed asks by itself every 30 seconds, and shows by itself what is new. */
  poll: boolean
}

/** What of the dealer's settings changes the feed; the documented values where nothing is saved. */
export function feedPreferences(settings: Record<string, unknown>): FeedPreferences {
  const { itemsPerPage, inventoryView, autoRefresh } = settings
  const pageSize = typeof itemsPerPage === 'number' && itemsPerPage > 0 ? itemsPerPage : feedPageSize
  return {
    pageSize,
    loadSize: Math.min(feedMaxLimit, Math.max(feedLoadSize, 2 * pageSize)),
    view: inventoryView === 'grid' || inventoryView === 'compact' ? inventoryView : 'list',
    poll: autoRefresh !== false,
  }
}
