import { useInfiniteQuery } from '@tanstack/react-query'
import { CarFront, SearchX } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { reasonOf } from '#client/lib/api.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { useView } from '#client/lib/views.ts'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatTotal } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Patience } from '#client/ui/patience.tsx'
import { FeedBar } from './feed-bar.tsx'
import { useFeedKeys } from './feed-keys.ts'
import { FeedList } from './feed-list.tsx'
import { useFeedNews } from './feed-news.ts'
import { feedPreferences } from './feed-preferences.ts'
import { useReveal } from './feed-reveal.ts'
import { FeedSkeleton } from './feed-skeleton.tsx'
import { FeedStatus } from './feed-status.tsx'
import { NewPostsPill } from './new-posts-pill.tsx'
import type { PostCardSlots } from './post-card-slots.ts'
import { feedQuery, type FeedFilter } from './posts.api.ts'
import { readerIsIdleAtTop } from './reader-idle.ts'

interface FeedProps extends PostCardSlots {
  filter: FeedFilter
  onFilter: (filter: FeedFilter) => void
  /** Beside the summary of an active search. */
  searchAction?: ReactNode
}

/** The dealer feed (spec A §2 "Inventory feed screen"). */
export function Feed({ filter, onFilter, searchAction, ...slots }: FeedProps) {
  const { settings } = useCurrentDealer()
  const { pageSize, view, poll } = feedPreferences(settings)
  const feed = useInfiniteQuery(feedQuery(filter))
  const posts = useMemo(() => feed.data?.pages.flatMap((page) => page.posts), [feed.data])
  const total = feed.data?.pages[0]?.total
  const news = useFeedNews(filter, feed.data?.pages, poll)
  useView('feed', '')
  const list = useRef<HTMLDivElement>(null)
  const { fetchNextPage } = feed
  const reveal = useReveal({
    // The first post changes when what waited is shown, not when a figure does.
    resetKey: JSON.stringify([filter, pageSize, feed.data?.pages[0]?.posts[0]?.id]),
    pageSize,
    loaded: posts?.length ?? 0,
    hasMore: feed.hasNextPage,
    loadMore: useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]),
    list,
  })
  const shown = useMemo(() => posts?.slice(0, reveal.count) ?? [], [posts, reveal.count])
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
  const { count, show } = news
  useEffect(() => {
    if (count > 0 && readerIsIdleAtTop()) show()
  }, [count, show])
  const showNews = () => {
    show()
    window.scrollTo({ top: 0 })
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-feed-item]')?.focus())
  }
  const failure = feed.error ?? news.error
  const patience = <Patience query={feed} className="my-3 max-md:mx-3" />
  return (
    <>
      <FeedBar
        filter={filter}
        onFilter={onFilter}
        total={total}
        shown={shown.length}
        status={
          <span className="flex flex-auto items-center justify-end gap-3">
            {searchAction}
            <FeedStatus />
          </span>
        }
      />
      <NewPostsPill count={count} onShow={showNews} />
      {failure && !feed.isFetchNextPageError ? (
        <div className="mb-3 max-md:m-3">
          <InlineError
            title="The feed could not be loaded"
            message={reasonOf(failure)}
            retrying={feed.isFetching || news.checking}
            onRetry={() => (posts ? news.check() : void feed.refetch())}
          />
        </div>
      ) : null}
      {feed.isFetchingNextPage ? null : patience}
      {feed.isPending && !feed.isError ? <FeedSkeleton label="Loading dealer feed..." /> : null}
      {posts?.length === 0 ? <FeedEmpty searching={filter.search !== ''} /> : null}
      {posts && posts.length > 0 ? (
        <FeedList
          listRef={list}
          posts={shown}
          total={total === undefined ? -1 : formatTotal(total, filter.search).number}
          view={view}
          busy={reveal.pending}
          ended={reveal.exhausted}
          onMore={reveal.more}
          patience={feed.isFetchingNextPage ? patience : null}
          moreError={feed.isFetchNextPageError ? reasonOf(feed.error) : undefined}
          {...slots}
        />
      ) : null}
    </>
  )
}

function FeedEmpty({ searching }: { searching: boolean }) {
  return (
    <Card>
      {searching ? (
        <EmptyState
          icon={<SearchX size={24} />}
          title="No matching dealers found"
          hint="Try adjusting your search terms."
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
