import ArrowUp from 'lucide-react/icons/arrow-up'
import CarFront from 'lucide-react/icons/car-front'
import SearchX from 'lucide-react/icons/search-x'
import { unreadBadgeCap } from '#shared/limits.ts'
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { reasonOf } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatTotal, nounOf } from '#client/ui/format.ts'
import { LiveStatusText } from '#client/ui/live-status-text.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RateLimitCountdown } from '#client/ui/rate-limit-countdown.tsx'
import { useFeedAnchor } from './use-scroll-anchor.ts'
import { FeedBar } from './feed-bar.tsx'
import { useFeedKeys } from './use-feed-shortcuts.ts'
import { FeedList } from './feed-list.tsx'
import { useNewPosts } from './use-new-posts.ts'
import { feedPreferences } from './feed-preferences.ts'
import { useReveal } from './use-feed-paging.ts'
import { FeedSkeleton } from './feed-skeleton.tsx'
import type { PostCardSlots } from '../card/post-card-slots.ts'
import { type FeedFilter, feedQuery } from '../posts.api.ts'

type FeedQuery = Pick<
  UseInfiniteQueryResult,
  'data' | 'error' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'refetch'
>

/** New posts wait behind this button, so that the feed does not move while the dealer reads. */
function NewPostsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-[calc(var(--frame-top,3.5rem)+4.5rem)] z-11 flex h-0 justify-center max-md:top-[calc(var(--frame-top,3.5rem)+3.25rem)]"
    >
      {count > 0 ? (
        <button
          type="button"
          onClick={onShow}
          className="num pointer-events-auto inline-flex h-7 -translate-y-8 animate-fade items-center gap-2 rounded-full bg-accent pr-3 pl-2 font-medium text-on-accent shadow-2 hover:bg-accent-hover max-md:h-11 max-md:-translate-y-11 max-md:px-4"
        >
          <ArrowUp size={16} aria-hidden="true" />
          {count > unreadBadgeCap ? `${unreadBadgeCap}+` : count} new {nounOf(count, 'post')}
        </button>
      ) : null}
    </div>
  )
}

const idleMs = 3_000
const topPx = 40
const activities = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'scroll'] as const

/** Returns a function that checks whether the reader is idle at the top of the feed, where new posts would not disturb them. */
function useIdleAtTop(): () => boolean {
  const lastActivityMs = useRef(0)
  useEffect(() => {
    const note = () => void (lastActivityMs.current = Date.now())
    note()
    const options = { passive: true, capture: true }
    for (const name of activities) addEventListener(name, note, options)
    return () => {
      for (const name of activities) removeEventListener(name, note, options)
    }
  }, [])
  return useCallback(() => {
    if (window.scrollY > topPx) return false
    if (document.activeElement?.closest('[role="feed"], [role="dialog"]')) return false
    return document.hidden || Date.now() - lastActivityMs.current > idleMs
  }, [])
}

interface FeedProps extends PostCardSlots {
  filter: FeedFilter
  onFilter: (filter: FeedFilter) => void
  searchAction?: ReactNode
  elsewhere?: ReactNode
}

export function Feed({ filter, onFilter, searchAction, elsewhere, ...slots }: FeedProps) {
  const { settings } = useCurrentDealer()
  const { pageSize, loadSize, view, poll } = feedPreferences(settings)
  const asked = { ...filter, limit: loadSize }
  const feed = useInfiniteQuery(feedQuery(asked))
  const pages = feed.data?.pages
  const first = pages?.[0]
  const posts = useMemo(() => pages?.flatMap((page) => page.posts), [pages])
  const newPosts = useNewPosts(asked, pages, poll)
  useView('feed', '')
  const list = useRef<HTMLDivElement>(null)
  const { fetchNextPage } = feed
  const reveal = useReveal({
    resetKey: JSON.stringify([filter, pageSize]),
    firstPostId: first?.posts[0]?.id,
    pageSize,
    loaded: posts?.length ?? 0,
    hasMore: feed.hasNextPage,
    loadMore: useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]),
    list,
  })
  const shown = useMemo(() => posts?.slice(0, reveal.count) ?? [], [posts, reveal.count])
  useOpenByKey(shown)
  const show = () => {
    newPosts.show()
    reveal.reset()
  }
  const showNewPosts = useShowNewPosts({ count: newPosts.count, show }, list, poll)
  useFeedAnchor(list)
  const patience = <RateLimitCountdown query={feed} className="my-3 max-md:mx-3" />
  return (
    <>
      <FeedBar
        filter={filter}
        onFilter={onFilter}
        total={first?.total}
        shown={shown.length}
        status={
          <span className="flex flex-auto items-center justify-end gap-3">
            {searchAction}
            <LiveStatusText live="Live updates" />
          </span>
        }
      />
      <NewPostsPill count={newPosts.count} onShow={showNewPosts} />
      <FeedFailure feed={feed} newPosts={newPosts} />
      {feed.isFetchingNextPage ? null : patience}
      {posts === undefined ? (
        <FeedLoading failed={feed.isError} />
      ) : (
        <FeedPosts
          searching={filter.search !== ''}
          elsewhere={elsewhere}
          listRef={list}
          posts={shown}
          whole={reveal.isKnown}
          total={feedSize(first?.total, filter)}
          view={view}
          busy={reveal.pending}
          ended={reveal.exhausted}
          onMore={reveal.more}
          {...nextPageOf(feed, patience)}
          {...slots}
        />
      )}
    </>
  )
}

function useOpenByKey(shown: readonly { id: string }[]): void {
  const [, navigate] = useLocation()
  useFeedKeys(
    useCallback(
      (index) => {
        const post = shown[index]
        if (post) navigate(`/post/${post.id}`)
      },
      [shown, navigate],
    ),
  )
}

const nextPageOf = ({ isFetchingNextPage, isFetchNextPageError, error }: FeedQuery, patience: ReactNode) => ({
  patience: isFetchingNextPage ? patience : null,
  moreError: isFetchNextPageError ? reasonOf(error) : undefined,
})

/** Value of `aria-setsize`, which is -1 if the size is unknown. */
const feedSize = (total: number | undefined, { search }: FeedFilter) =>
  total === undefined ? -1 : formatTotal(total, search).number

/** If `auto` is true, shows new posts while the reader is idle at the top. Returns the click handler of the button for new posts. */
function useShowNewPosts(
  { count, show }: Pick<ReturnType<typeof useNewPosts>, 'count' | 'show'>,
  list: RefObject<HTMLElement | null>,
  auto: boolean,
) {
  const isIdleAtTop = useIdleAtTop()
  useEffect(() => {
    if (auto && count > 0 && isIdleAtTop()) show()
  }, [auto, count, show, isIdleAtTop])
  return () => {
    show()
    window.scrollTo({ top: 0 })
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-feed-item]')?.focus())
  }
}

const FeedLoading = ({ failed }: { failed: boolean }) =>
  failed ? null : <FeedSkeleton label="Loading dealer feed..." />

interface FeedPostsProps extends ComponentProps<typeof FeedList> {
  searching: boolean
  elsewhere: ReactNode
}

function FeedPosts({ searching, elsewhere, ...list }: FeedPostsProps) {
  if (list.posts.length > 0) return <FeedList {...list} />
  return <FeedEmpty searching={searching} elsewhere={elsewhere} />
}

/** Shows why the feed could not be loaded. Skips a failed next page, because that has its own error. */
function FeedFailure({ feed, newPosts }: { feed: FeedQuery; newPosts: ReturnType<typeof useNewPosts> }) {
  const failure = feed.error ?? newPosts.error
  if (failure === null || feed.isFetchNextPageError) return null
  return (
    <div className="mb-3 max-md:m-3">
      <InlineError
        title="The feed could not be loaded"
        message={reasonOf(failure)}
        retrying={feed.isFetching || newPosts.checking}
        onRetry={() => (feed.data === undefined ? void feed.refetch() : newPosts.check())}
      />
    </div>
  )
}

function FeedEmpty({ searching, elsewhere }: Pick<FeedPostsProps, 'searching' | 'elsewhere'>) {
  return (
    <Card>
      {searching ? (
        <EmptyState
          icon={<SearchX size={24} />}
          title="No matching dealers found"
          hint="Try adjusting your search terms."
          action={elsewhere}
        />
      ) : (
        <EmptyState
          icon={<CarFront size={24} />}
          title="No dealer posts available"
          hint="Connect with dealers to see their posts!"
        />
      )}
    </Card>
  )
}
