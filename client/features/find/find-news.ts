import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConnection } from '#client/lib/connection.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { useFeedHint } from '#client/lib/feed-hint.ts'
import { useJoined, useView } from '#client/lib/views.ts'
import type { FindQuery } from '#shared/find-query.ts'
import { feedPollMs } from '#shared/limits.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { findSinceQuery } from './find.api.ts'

/** A post is found within so long of being hinted at. */
const indexedWithinMs = 1_000

/**
 * How many vehicles the search would find that are not shown: asked when the server hints at new posts, and without a connection
 * every 30 seconds.
 * @param head of what is shown; undefined while nothing is
 */
export function useFindNews(query: FindQuery, head: string | undefined): number {
  const connection = useConnection()
  const { autoRefresh } = settingsOf(useCurrentDealer().settings)
  const polls = autoRefresh && connection !== 'live'
  const since = useQuery({
    ...findSinceQuery(query, head ?? ''),
    enabled: head !== undefined,
    // Nothing is newer than what has only just come.
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
