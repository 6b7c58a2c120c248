import { feedLoadSize, feedMaxLimit, feedPageSize } from '#shared/limits.ts'

export type FeedView = 'list' | 'grid' | 'compact'

interface FeedPreferences {
  pageSize: number
  loadSize: number
  view: FeedView
  poll: boolean
}

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
