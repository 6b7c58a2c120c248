import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConnection } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useFeedHint } from '#client/lib/live/new-posts-hint.ts'
import { useJoined, useView } from '#client/lib/live/room-views.ts'
import type { FindQuery } from '#shared/find-query.ts'
import { feedPollMs } from '#shared/limits.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { findSinceQuery } from './find.api.ts'

/** Find's index may lag behind the server's announcement of new vehicles by this many milliseconds. */
const indexedWithinMs = 1_000

/**
 * Returns how many matching vehicles were added since the results were loaded.
 * @param head `head` of the search response that is shown; undefined if there is no response
 */
export function useNewResultCount(query: FindQuery, head: string | undefined): number {
  const connection = useConnection()
  const { autoRefresh } = settingsOf(useCurrentDealer().settings)
  const polls = autoRefresh && connection !== 'live'
  const since = useQuery({
    ...findSinceQuery(query, head ?? ''),
    enabled: head !== undefined,
    // The results have just been loaded, so the count starts at zero.
    ...(head !== undefined && { initialData: { count: 0, head } }),
    refetchInterval: polls ? feedPollMs : false,
  })
  const { refetch } = since
  const ask = () => {
    if (head !== undefined) void refetch()
  }
  useView('feed', '')
  useFeedHint('vehicles', ask, indexedWithinMs)
  useJoined('feed', '', head !== undefined, ask)
  useEffect(() => {
    if (connection === 'offline' && autoRefresh && head !== undefined) void refetch()
  }, [connection, autoRefresh, head, refetch])
  return since.data?.count ?? 0
}
