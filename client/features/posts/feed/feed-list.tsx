import { type ReactNode, type RefObject, useDeferredValue, useId } from 'react'
import { cx } from '#client/ui/cx.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { LoadMore } from '#client/ui/load-more.tsx'
import type { Post } from '#shared/schemas/posts.ts'
import { FeedItem } from './feed-item.tsx'
import type { FeedView } from './feed-preferences.ts'
import type { PostCardSlots } from '../card/post-card-slots.ts'
import { PostCard } from '../card/post-card.tsx'
import { preloadLead } from '../photos/post-photos.tsx'

const firstDrawn = 2

/** Feeds with at most this many posts always render every article. */
const longFeed = 21

interface FeedListProps extends PostCardSlots {
  listRef: RefObject<HTMLDivElement | null>
  posts: readonly Post[]
  /** True to render all posts at once, so that a scroll position can be restored. */
  whole: boolean
  total: number
  view: FeedView
  busy: boolean
  ended: boolean
  onMore: () => void
  moreError: string | undefined
  patience: ReactNode
}

export function FeedList(props: FeedListProps) {
  const { listRef, posts, whole, total, view, busy, ended, onMore, moreError, patience, ...slots } = props
  const isWhole = useDeferredValue(true, whole)
  const id = useId()
  const [first] = posts
  if (first && view !== 'compact') preloadLead(first)
  return (
    <>
      <div
        ref={listRef}
        role="feed"
        aria-label="Dealer posts"
        aria-busy={busy || !isWhole}
        className={cx('gap-3 max-md:gap-2 max-md:pt-2', view === 'grid' ? 'grid md:grid-cols-2' : 'flex flex-col')}
      >
        {(isWhole ? posts : posts.slice(0, firstDrawn)).map((post, index) => (
          <FeedItem
            key={post.id}
            post={post}
            position={index + 1}
            total={total}
            titleId={`${id}-${post.id}`}
            isVirtualized={posts.length > longFeed}
          >
            <PostCard
              post={post}
              titleId={`${id}-${post.id}`}
              eager={index === 0}
              compact={view === 'compact'}
              {...slots}
            />
          </FeedItem>
        ))}
      </div>
      {patience}
      {moreError ? (
        <div className="mt-3 max-md:m-3">
          <InlineError title="More posts could not be loaded" message={moreError} onRetry={onMore} retrying={busy} />
        </div>
      ) : null}
      {isWhole ? <FeedEnd ended={ended} onMore={onMore} busy={busy} /> : null}
    </>
  )
}

function FeedEnd({ ended, onMore, busy }: Pick<FeedListProps, 'ended' | 'onMore' | 'busy'>) {
  if (ended) return <p className="p-4 text-center text-ink-3">You've reached the end of the feed</p>
  return (
    <div className="pt-1">
      <LoadMore onLoad={onMore} busy={busy} />
    </div>
  )
}
