import { useQuery } from '@tanstack/react-query'
import { usePublishNavCount } from '#client/lib/nav-counts.ts'
import { dealCountsQuery } from './deals.api.ts'

/** Always mounted: how much waits for the dealer, for the frame; the figure of the tab "Your turn". */
export function DealsWatch() {
  const { data } = useQuery(dealCountsQuery())
  usePublishNavCount('deals', data?.turn ?? 0)
  return null
}
