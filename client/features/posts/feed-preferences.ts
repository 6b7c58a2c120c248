import { feedPageSize } from '#shared/limits.ts'

export type FeedView = 'list' | 'grid' | 'compact'

interface FeedPreferences {
  pageSize: number
  view: FeedView
  /** Whether the feed asks by itself every 30 seconds. */
  poll: boolean
}

/** What of the dealer's settings changes the feed; the documented values where nothing is saved. */
export function feedPreferences(settings: Record<string, unknown>): FeedPreferences {
  const { itemsPerPage, inventoryView, autoRefresh } = settings
  return {
    pageSize: typeof itemsPerPage === 'number' && itemsPerPage > 0 ? itemsPerPage : feedPageSize,
    view: inventoryView === 'grid' || inventoryView === 'compact' ? inventoryView : 'list',
    poll: autoRefresh !== false,
  }
}
