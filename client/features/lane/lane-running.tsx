import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useNarrow } from '#client/ui/screen-width.ts'
import { laneRunningQuery } from './lane.api.ts'

/** Navigation refetches the count at most once in this many milliseconds. */
const freshMs = 60_000

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
