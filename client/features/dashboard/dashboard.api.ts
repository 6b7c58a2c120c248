import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { alwaysRefetched, liveQuery } from '#client/lib/live/live-queries.ts'
import type { SalesKind } from '#shared/schemas/dashboard.ts'

export function dashboardQuery() {
  return queryOptions({
    queryKey: ['/api/dashboard'] as const,
    queryFn: ({ signal }) => call('/api/dashboard', { signal }),
    ...liveQuery,
  })
}

/** The first steps of a new dealer. The data is null for every other dealer. */
export function startQuery() {
  return queryOptions({
    queryKey: ['/api/dashboard', 'start'] as const,
    queryFn: ({ signal }) => call('/api/dashboard/start', { signal }),
    ...alwaysRefetched,
  })
}

/** Returns false for a new dealer whose figures are all zero, because the first steps are shown instead. */
export function useHasFigures(): boolean {
  const { data: start } = useQuery(startQuery())
  const { data: dashboard } = useQuery({ ...dashboardQuery(), enabled: Boolean(start) })
  if (!start || !dashboard) return true
  const { days: _, ...activity } = dashboard.activity
  return [...Object.values(activity), ...Object.values(dashboard.sales)].some((figure) => figure > 0)
}

export function salesQuery(kind: SalesKind) {
  return queryOptions({
    queryKey: ['/api/dashboard', 'sales', kind] as const,
    queryFn: ({ signal }) => call(`/api/dashboard/sales/${kind}`, { signal }),
    ...liveQuery,
  })
}

/** Headlines of the news, which are part of the build. They are a separate chunk, so that the feed does not wait for them. */
export const newsQuery = () =>
  queryOptions({
    queryKey: ['content', 'news'],
    queryFn: async () => (await import('#client/content/news/headlines.ts')).newsHeadlines,
  })
