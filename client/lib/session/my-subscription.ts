import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Entitlement } from '#shared/entitlements.ts'
import { call } from '../http/api.ts'
import { liveQuery } from '../live/live-queries.ts'

export function mySubscriptionQuery() {
  return queryOptions({
    ...liveQuery,
    queryKey: ['/api/my-subscription'],
    queryFn: () => call('/api/my-subscription'),
  })
}

export const useEntitled = (what: Entitlement): boolean =>
  useQuery(mySubscriptionQuery()).data?.entitlements.includes(what) === true
