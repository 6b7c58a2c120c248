import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { cx } from '#client/ui/cx.ts'
import { PhotoMosaic, PhotoStrip } from '#client/ui/photo-strip.tsx'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import type { PostCardSlots } from './post-card-slots.ts'
import { PostCounters } from './post-counters.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostFooter } from './post-footer.tsx'
import { PostHeader } from './post-header.tsx'
import { PostOwnerMenu } from './post-owner-menu.tsx'
import { ReportPost } from './post-report.tsx'
import { PostSummary } from './post-summary.tsx'

const controls = 'a, button, input, textarea, select, label, [role="button"], [data-no-open]'

/**
 * Opens the post on a press anywhere on its card except on a control. A convenience for pointers: the
 * keyboard has the title's link. Listens natively, so what a portal draws for the card does not count as the card.
 */
function useCardPress(address: string) {
  const card = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  useEffect(() => {
    const element = card.current
    if (!element) return
    const press = (event: MouseEvent) => {
      if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(controls))) return
      // The end of a text selection is not a press.
      if (window.getSelection()?.isCollapsed === false) return
      navigate(address)
    }
    element.addEventListener('click', press)
    return () => element.removeEventListener('click', press)
  }, [address, navigate])
  return card
}

interface PostCardProps extends PostCardSlots {
  post: Post | PostDetail
  /** Above the fold: its pictures are fetched at once. */
  eager?: boolean
  /** One line of facts instead of pictures and summary (settings, "compact"); an auction keeps its price, clock and button. */
  compact?: boolean
  titleId?: string
}

/**
 * A post in the feed, narrow on a phone and in a grid: its parts go by its own width. The whole card opens the post,
 * except where it has a control of its own.
 */
export function PostCard({ post, eager = false, compact = false, titleId, ...slots }: PostCardProps) {
  const me = useCurrentDealer()
  const own = post.dealer.id === me.id
  const address = `/post/${post.id}`
  const card = useCardPress(address)
  return (
    <div
      ref={card}
      className="@container/card relative cursor-pointer rounded-md border border-line bg-surface shadow-1 transition-colors hover:border-line-strong max-md:rounded-none max-md:border-x-0 max-md:shadow-none"
    >
      <div className="px-4 pt-4 max-md:pt-3">
        <PostHeader
          post={post}
          badges={slots.renderBadges?.(post)}
          menu={own ? <PostOwnerMenu post={post} /> : <ReportPost post={post} />}
        />
        <h2 id={titleId} className="mt-2 text-md font-semibold tracking-title text-pretty">
          <Link href={address}>{post.title}</Link>
        </h2>
        {compact ? null : <p className="mt-2 line-clamp-2 text-base text-pretty text-ink-2">{post.description}</p>}
        <PostFacts post={post}>{own ? null : slots.renderOffer?.(post)}</PostFacts>
        {own ? slots.renderNotice?.(post) : null}
        <PostMedia post={post} eager={eager} compact={compact} auction={slots.renderAuction?.(post)} />
        {compact ? null : <PostSummary post={post} />}
        <PostCounters post={post} />
      </div>
      <PostFooter post={post} own={own} {...slots} />
    </div>
  )
}

interface PostMediaProps {
  post: Post
  eager: boolean
  compact: boolean
  auction: ReactNode
}

/** The photos, and beside them the auction of a post that speaks of one: of a compact card the auction alone. */
function PostMedia({ post, eager, compact, auction }: PostMediaProps) {
  if (compact) return speaksOfAuction(post) && auction ? <div className="mt-3">{auction}</div> : null
  if (!speaksOfAuction(post)) return <PhotoStrip photos={post.photoUrls} subject={post.title} eager={eager} />
  if (!auction && post.photoUrls.length === 0) return null
  return (
    <div
      className={cx('mt-3 grid gap-3 max-md:gap-2', auction ? '@xl/card:grid-cols-[minmax(0,1fr)_240px]' : undefined)}
    >
      <PhotoMosaic photos={post.photoUrls} subject={post.title} eager={eager} />
      {auction}
    </div>
  )
}
