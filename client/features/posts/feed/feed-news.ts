import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useFeedHint } from '#client/lib/feed-hint.ts'
import type { FeedPage } from '#client/lib/held-posts.ts'
import { liveQuery } from '#client/lib/live.ts'
import { useConnection } from '#client/lib/connection.ts'
import { useJoined } from '#client/lib/views.ts'
import { feedPollMs } from '#shared/limits.ts'
import { feedsKey } from '#client/lib/query-keys.ts'
import { feedQuery, type FeedFilter, fetchHead, headKey } from '../posts.api.ts'
import { askForMissing, refreshShown } from '../posts.cache.ts'

/**
 * Watches the head of the feed beside the shown one: every 30 seconds, at once when the connection goes or comes
 * back, and when the server hints at news. Posts that are shown take their new figures in place; new ones wait.
 */
export function useFeedNews(filter: FeedFilter, shown: FeedPage[] | undefined, poll: boolean) {
  const cache = useQueryClient()
  const connection = useConnection()
  const queryKey = headKey(filter)
  const head = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await fetchHead(filter, signal)
      refreshShown(cache, page.posts)
      // With a connection, events tell what is gone.
      if (connection !== 'live') askForMissing(cache, filter, cache.getQueryData<FeedPage>(queryKey), page)
      return page
    },
    enabled: shown !== undefined,
    initialData: shown?.[0],
    refetchInterval: poll ? feedPollMs : false,
    ...liveQuery,
  })
  const { refetch } = head

  useFeedHint('posts', () => void refetch())
  useEffect(() => {
    if (connection === 'offline') void refetch()
  }, [connection, refetch])
  useJoined('feed', '', shown !== undefined, () => void refetch())

  const count = useMemo(() => countNew(shown, head.data), [shown, head.data])
  const show = () => {
    if (head.data) cache.setQueryData(feedQuery(filter).queryKey, { pages: [head.data], pageParams: [undefined] })
    // Other sorts and searches are loaded again when they are gone to.
    cache.removeQueries({ queryKey: feedsKey, type: 'inactive' })
  }
  return {
    count,
    show,
    error: head.isError ? head.error : null,
    checking: head.isFetching,
    check: () => void refetch(),
  }
}

/** Posts that are not shown and are newer than all that are. */
function countNew(shown: FeedPage[] | undefined, head: FeedPage | undefined): number {
  if (!shown || !head) return 0
  const posts = shown.flatMap((page) => page.posts)
  const known = new Set(posts.map((post) => post.id))
  const newest = posts.reduce((latest, post) => (post.createdAt > latest ? post.createdAt : latest), '')
  return head.posts.filter((post) => !known.has(post.id) && post.createdAt > newest).length
}
