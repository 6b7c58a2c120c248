import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useNarrow } from '#client/ui/screen-width.ts'
import { laneRunningQuery } from './lane.api.ts'

/** The count is refetched at most this often while the dealer navigates, in milliseconds. */
const freshMs = 60_000

/** Publishes the number of running auctions for the Lane link in a phone's bottom navigation. */
export function LaneRunning() {
  const isNarrow = useNarrow()
  const { profileComplete } = useCurrentDealer()
  return isNarrow && profileComplete ? <Running /> : null
}

function Running() {
  const cache = useQueryClient()
  const [path] = useLocation()
  const { data } = useQuery(laneRunningQuery())
  useEffect(() => {
    const { queryKey } = laneRunningQuery()
    const readAt = cache.getQueryState(queryKey)?.dataUpdatedAt ?? 0
    if (readAt > 0 && Date.now() - readAt > freshMs) void cache.invalidateQueries({ queryKey })
  }, [cache, path])
  usePublishNavCount('auctions', data?.rows.length ?? 0)
  return null
}
