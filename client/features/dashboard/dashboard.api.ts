import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import type { SalesKind } from '#shared/schemas/dashboard.ts'

export function dashboardQuery() {
  return queryOptions({
    queryKey: ['/api/dashboard'] as const,
    queryFn: ({ signal }) => call('/api/dashboard', { signal }),
    ...liveQuery,
  })
}

/** The details behind a tile of Direct Sales. */
export function salesQuery(kind: SalesKind) {
  return queryOptions({
    queryKey: ['/api/dashboard', 'sales', kind] as const,
    queryFn: ({ signal }) => call(`/api/dashboard/sales/${kind}`, { signal }),
    ...liveQuery,
  })
}

/** News articles are part of the build. Loaded separately, so that the feed does not wait. */
export const newsQuery = () =>
  queryOptions({
    queryKey: ['content', 'news'],
    queryFn: async () => (await import('#client/content/news.ts')).newsArticles,
  })
