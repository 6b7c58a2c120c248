import { useQuery } from '@tanstack/react-query'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { dealCountsQuery } from './deals.api.ts'

/** Always mounted: publishes the number of deals waiting for the dealer. */
export function DealsNavCount() {
  const { data } = useQuery(dealCountsQuery())
  usePublishNavCount('deals', data?.turn ?? 0)
  return null
}
