import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import type { SalesKind } from '#shared/schemas/dashboard.ts'

/** The figures of the left column. */
export function dashboardQuery() {
  return queryOptions({
    queryKey: ['/api/dashboard'] as const,
    queryFn: ({ signal }) => call('/api/dashboard', { signal }),
    ...liveQuery,
  })
}

/** What stands behind one tile of Direct Sales. */
export function salesQuery(kind: SalesKind) {
  return queryOptions({
    queryKey: ['/api/dashboard', 'sales', kind] as const,
    queryFn: ({ signal }) => call(`/api/dashboard/sales/${kind}`, { signal }),
    ...liveQuery,
  })
}

/** Articles are content of the build, fetched apart: the feed does not wait for them. */
export const newsQuery = () =>
  queryOptions({
    queryKey: ['content', 'news'],
    queryFn: async () => (await import('#client/content/news.ts')).newsArticles,
  })
