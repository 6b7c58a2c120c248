import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useFeedHint } from '#client/lib/live/new-posts-hint.ts'
import type { FeedPage } from '#client/lib/post/cached-posts.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { useJoined } from '#client/lib/live/room-views.ts'
import { feedPollMs } from '#shared/limits.ts'
import { feedsKey } from '#client/lib/query/query-keys.ts'
import { feedQuery, type FeedFilter, fetchHead, headKey } from '../posts.api.ts'
import { refetchMissing, refreshShown } from '../posts.cache.ts'

/**
 * Fetches the newest posts at intervals if `poll` is true, and when the server announces posts. Updates the posts shown without adding any.
 */
export function useNewPosts(filter: FeedFilter, shown: FeedPage[] | undefined, poll: boolean) {
  const cache = useQueryClient()
  const connection = useConnection()
  const queryKey = headKey(filter)
  const head = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await fetchHead(filter, signal)
      refreshShown(cache, page.posts)
      // Events report deleted posts only while the client is connected. Otherwise, look for posts missing from the page.
      if (connection !== 'live') refetchMissing(cache, filter, cache.getQueryData<FeedPage>(queryKey), page)
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
    // Drop feeds with other sorts and searches, so that they are reloaded when they are opened.
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

/** Counts the posts that are newer than all posts shown. */
function countNew(shown: FeedPage[] | undefined, head: FeedPage | undefined): number {
  if (!shown || !head) return 0
  const posts = shown.flatMap((page) => page.posts)
  const known = new Set(posts.map((post) => post.id))
  const newest = posts.reduce((latest, post) => (post.createdAt > latest ? post.createdAt : latest), '')
  return head.posts.filter((post) => !known.has(post.id) && post.createdAt > newest).length
}
