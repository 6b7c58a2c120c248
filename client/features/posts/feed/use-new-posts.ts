import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useFeedHint } from '#client/lib/live/new-posts-hint.ts'
import type { FeedPage } from '#client/lib/post/cached-posts.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { useJoined } from '#client/lib/live/room-views.ts'
import { defineSlice, keepNewest } from '#client/lib/storage/store-slice.ts'
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

  const newest = useNewestShown(shown)
  const count = useMemo(() => countNew(shown, head.data, newest), [shown, head.data, newest])
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

// When each post of a feed had been posted when it was first shown. Kept when the dealer leaves the page.
const firstShown = defineSlice<{ postedAt: Record<string, string> }>('feed-first-shown', () => ({ postedAt: {} }))
const firstShownMax = 5_000

/** Returns when the newest of these posts was posted. Ignores that a post was relisted after it was shown. */
function useNewestShown(pages: FeedPage[] | undefined): string {
  const postedAt = firstShown.use((state) => state.postedAt)
  useEffect(() => {
    const added = (pages ?? []).flatMap(({ posts }) =>
      posts.filter(({ id }) => firstShown.get().postedAt[id] === undefined),
    )
    if (added.length === 0) return
    firstShown.set((state) => {
      for (const { id, createdAt } of added) state.postedAt[id] = createdAt
      keepNewest(state.postedAt, firstShownMax)
    })
  }, [pages])
  const times = (pages ?? []).flatMap(({ posts }) => posts.map(({ id, createdAt }) => postedAt[id] ?? createdAt))
  return times.reduce((latest, time) => (time > latest ? time : latest), '')
}

/** Counts the posts of the head that are not shown and newer than `newest`. */
function countNew(shown: FeedPage[] | undefined, head: FeedPage | undefined, newest: string): number {
  if (!shown || !head) return 0
  const known = new Set(shown.flatMap((page) => page.posts.map((post) => post.id)))
  return head.posts.filter((post) => !known.has(post.id) && post.createdAt > newest).length
}
