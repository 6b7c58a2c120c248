import { useQuery } from '@tanstack/react-query'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { dealCountsQuery } from './deals.api.ts'

export function DealsNavCount() {
  const { data } = useQuery(dealCountsQuery())
  usePublishNavCount('deals', data?.turn ?? 0)
  return null
}
