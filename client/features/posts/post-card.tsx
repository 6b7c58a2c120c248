import { ChevronDown, ChevronUp, CircleUser, MessageSquare, Send } from 'lucide-react'
import { type MouseEvent, type ReactNode, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { PhotoMosaic, PhotoStrip } from '#client/ui/photo-strip.tsx'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { PostComments } from './post-comments.tsx'
import { PostCounters } from './post-counters.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostHeader } from './post-header.tsx'
import { PostOwnerMenu } from './post-owner-menu.tsx'
import { PostReactions } from './post-reactions.tsx'
import { PostSummary } from './post-summary.tsx'
import { countsOf, isLiveAuction } from './posts.rules.ts'

/** What other features add to a card; the page fills it. What is absent is not drawn. */
export interface PostCardSlots {
  /** Beside the photos of a live post, 240 px. */
  renderAuction?: (post: Post) => ReactNode
  onDealerProfile?: (dealer: Dealer) => void
  onMessage?: (dealer: Dealer) => void
}

interface PostCardProps extends PostCardSlots {
  post: Post | PostDetail
  /** Above the fold: its pictures are fetched at once. */
  eager?: boolean
  /** One line of facts instead of pictures and summary (settings, "compact"). */
  compact?: boolean
  titleId?: string
}

/** A post in the feed. The whole card opens the post, except where it has a control of its own (spec A §2). */
export function PostCard({ post, eager = false, compact = false, titleId, ...slots }: PostCardProps) {
  const [, navigate] = useLocation()
  const me = useCurrentDealer()
  const own = post.dealer.id === me.id
  const address = `/post/${post.id}`
  const open = (event: MouseEvent<HTMLElement>) => {
    if (isOwnControl(event)) return
    navigate(address)
  }
  return (
    <div
      onClick={open}
      className="relative cursor-pointer rounded-md border border-line bg-surface shadow-1 transition-colors hover:border-line-strong max-md:rounded-none max-md:border-x-0 max-md:shadow-none"
    >
      <div className="px-4 pt-4 max-md:pt-3">
        <PostHeader post={post} menu={own ? <PostOwnerMenu post={post} /> : null} />
        <h2 id={titleId} className="mt-2 text-md font-semibold tracking-title text-pretty">
          <Link href={address}>{post.title}</Link>
        </h2>
        {compact ? null : <p className="mt-2 line-clamp-2 text-base text-pretty text-ink-2">{post.description}</p>}
        <PostFacts post={post} />
        {compact ? null : <PostMedia post={post} eager={eager} auction={slots.renderAuction?.(post)} />}
        {compact ? null : <PostSummary aiSummary={post.aiSummary} />}
        <PostCounters post={post} />
      </div>
      <PostFooter post={post} own={own} {...slots} />
    </div>
  )
}

/** True for presses on controls, on what a portal drew for this card, and at the end of a text selection. */
function isOwnControl(event: MouseEvent<HTMLElement>): boolean {
  if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return true
  if (event.target.closest('a, button, input, textarea, select, label, [role="button"], [data-no-open]')) return true
  return window.getSelection()?.isCollapsed === false
}

export function PostMedia({ post, eager, auction }: { post: Post; eager: boolean; auction: ReactNode }) {
  if (!isLiveAuction(post)) return <PhotoStrip photos={post.photoUrls} subject={post.title} eager={eager} />
  if (!auction && post.photoUrls.length === 0) return null
  return (
    <div className={cx('mt-3 grid gap-3 max-md:gap-2', auction ? 'md:grid-cols-[minmax(0,1fr)_240px]' : undefined)}>
      <PhotoMosaic photos={post.photoUrls} subject={post.title} eager={eager} />
      {auction}
    </div>
  )
}

export function PostFooter({
  post,
  own,
  open: startsOpen = false,
  ...slots
}: { post: Post | PostDetail; own: boolean; open?: boolean } & PostCardSlots) {
  const [open, setOpen] = useState(startsOpen)
  const commentsId = useId()
  const { comments } = countsOf(post)
  const { onDealerProfile, onMessage } = slots
  const Chevron = open ? ChevronUp : ChevronDown
  return (
    <div data-no-open className="cursor-auto">
      <div className="flex items-center gap-1 border-t border-line px-2 py-1">
        <Button
          variant="ghost"
          aria-expanded={open}
          aria-controls={open ? commentsId : undefined}
          icon={<MessageSquare size={16} aria-hidden="true" />}
          onClick={() => setOpen(!open)}
          className="max-md:px-2"
        >
          <span className="max-[379px]:sr-only">Comments</span> <span className="num">({comments})</span>
          <Chevron size={16} aria-hidden="true" className="max-md:hidden" />
        </Button>
        {!own && onDealerProfile ? (
          <Button
            variant="ghost"
            icon={<CircleUser size={16} aria-hidden="true" />}
            onClick={() => onDealerProfile(post.dealer)}
            className="max-md:px-2"
          >
            <span>
              View Dealer <span className="max-md:sr-only">Profile</span>
            </span>
          </Button>
        ) : null}
        <span className="flex-1" />
        <PostReactions postId={post.id} />
        {!own && onMessage ? (
          <IconButton label="Message" icon={<Send size={18} />} onClick={() => onMessage(post.dealer)} />
        ) : null}
      </div>
      {open ? <PostComments postId={post.id} id={commentsId} /> : null}
    </div>
  )
}
