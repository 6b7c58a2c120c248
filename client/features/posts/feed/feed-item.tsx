import { type ReactNode, useRef } from 'react'
import { useShown } from '#client/lib/post/count-views.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { cx } from '#client/ui/cx.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { usePostCatchUp } from '../posts-catch-up.ts'
import { useNearScreen } from '../use-near-screen.ts'

interface FeedItemProps {
  post: Pick<Post, 'id' | 'version'>
  position: number
  total: number
  titleId: string
  /** True in a long feed, where articles far from the screen become empty boxes. */
  isVirtualized: boolean
  children: ReactNode
}

/** In a long feed, an article far from the screen becomes an empty box of the same height, which renders faster. */
export function FeedItem({ post, position, total, titleId, isVirtualized, children }: FeedItemProps) {
  const article = useRef<HTMLElement>(null)
  const { near, height } = useNearScreen(article)
  const full = near || !isVirtualized
  useView('post', post.id, near)
  useShown(article, post.id)
  usePostCatchUp(post.id, post.version)
  return (
    <article
      ref={article}
      tabIndex={0}
      data-feed-item
      aria-posinset={position}
      aria-setsize={total}
      aria-labelledby={titleId}
      style={full ? undefined : { height }}
      className={cx(
        // Leaves room for the sticky bar, on top of the page's own scroll padding.
        'scroll-mt-[calc(var(--frame-top,3.5rem)-1rem)] rounded-md max-md:scroll-mt-0',
        !full && 'border border-line bg-surface',
      )}
    >
      {full ? children : <span id={titleId} className="sr-only">{`Post ${position}`}</span>}
    </article>
  )
}
