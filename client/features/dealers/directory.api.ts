import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, callNext, callPage, withQuery } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { vehicleActivityKey } from '#client/lib/query/query-keys.ts'
import type { DirectoryDealer, DirectoryView } from '#shared/schemas/dealers.ts'

export interface DirectoryFilter {
  view: DirectoryView
  name: string
  state: string
  dealershipType: string
  buysCanadian: string
}

interface DirectoryPage {
  dealers: DirectoryDealer[]
  total: number
  next: string | undefined
}

const pageSize = 50
export const directoryKey = ['/api/dealers', 'directory'] as const

const unlessAll = (value: string) => (value === 'all' ? undefined : value)

async function fetchPage(
  { view, name, state, dealershipType, buysCanadian }: DirectoryFilter,
  next: string | undefined,
  signal: AbortSignal,
): Promise<DirectoryPage> {
  const first = withQuery('/api/dealers', {
    name,
    state: unlessAll(state),
    dealershipType: unlessAll(dealershipType),
    buysCanadian: unlessAll(buysCanadian),
    view: unlessAll(view),
    limit: pageSize,
  })
  const page = await (next === undefined ? callPage(first, signal) : callNext<DirectoryDealer>(next, signal))
  return { dealers: page.rows, total: page.total, next: page.next }
}

export function directoryQuery(filter: DirectoryFilter) {
  return infiniteQueryOptions({
    queryKey: [...directoryKey, filter] as const,
    queryFn: ({ pageParam, signal }) => fetchPage(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    ...liveQuery,
  })
}

export function vehicleActivityQuery() {
  return queryOptions({
    queryKey: vehicleActivityKey,
    queryFn: ({ signal }) => call('/api/dealers/activity', { signal }),
    // No event announces a post that expires.
    staleTime: 0,
    ...liveQuery,
  })
}
