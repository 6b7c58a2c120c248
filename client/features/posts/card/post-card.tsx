import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { cx } from '#client/ui/cx.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { mentionsAuction } from '#shared/auction-rules.ts'
import type { PostCardSlots } from './post-card-slots.ts'
import { PostCounters } from './post-counters.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostFooter } from './post-footer.tsx'
import { PostHeader } from './post-header.tsx'
import { PostOwnerMenu } from './post-owner-menu.tsx'
import { PostPhotos } from '../photos/post-photos.tsx'
import { ReportPost } from './post-report.tsx'
import { PostSummary } from './post-summary.tsx'
import { cardPhotos } from '../posts.rules.ts'

const controls = 'a, button, input, textarea, select, label, [role="button"], [data-no-open]'

/** Opens the post on a click on the card, except on a control. The listener is native, because React events also bubble up from portals. */
function useCardPress(address: string) {
  const card = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  useEffect(() => {
    const element = card.current
    if (!element) return
    const press = (event: MouseEvent) => {
      if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(controls))) return
      // Ending a text selection is not a click.
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
  eager?: boolean
  /** True to show one line of facts instead of photos and summary. Auctions keep their price, clock and button. */
  compact?: boolean
  titleId?: string
}

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
        <PostBody post={post} address={address} titleId={titleId} eager={eager} compact={compact} {...slots}>
          {own ? null : slots.renderOffer?.(post)}
        </PostBody>
        {own ? slots.renderNotice?.(post) : null}
        {compact ? null : <PostSummary post={post} />}
        <PostCounters post={post} />
      </div>
      <PostFooter post={post} own={own} {...slots} />
    </div>
  )
}

interface PostBodyProps extends Pick<PostCardSlots, 'renderAuction'> {
  post: Post
  address: string
  titleId: string | undefined
  eager: boolean
  compact: boolean
  children: ReactNode
}

const looks = {
  plain: { body: '', title: '', about: 'gap-2', text: 'line-clamp-2', photos: '' },
  beside: {
    body: '@xl/card:grid-cols-[minmax(0,3fr)_minmax(15rem,2fr)]',
    title: '@xl/card:col-span-2 @max-xl/card:mt-1',
    about: 'gap-2 @xl/card:mt-1 @xl/card:gap-3',
    text: 'line-clamp-2 @xl/card:line-clamp-9',
    photos: '@xl/card:row-start-2',
  },
  auction: {
    body: '@xl/card:grid-cols-[minmax(0,3fr)_minmax(15rem,2fr)]',
    title: '@xl/card:col-span-2 @max-xl/card:mt-1',
    about: 'gap-2 @xl/card:col-span-2',
    text: 'line-clamp-2',
    photos: '@xl/card:row-start-3',
  },
}

function PostBody({ post, address, titleId, eager, compact, renderAuction, children }: PostBodyProps) {
  const auction = mentionsAuction(post) ? renderAuction?.(post) : null
  const photos = compact ? [] : cardPhotos(post)
  const pictured = auction ? 'auction' : 'beside'
  const layout = photos.length > 0 ? pictured : 'plain'
  const look = looks[layout]
  return (
    <div className={cx('mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 @max-xl/card:mt-3', look.body)}>
      <PostPhotos photos={photos} eager={eager} className={cx('@xl/card:col-start-1 @xl/card:mt-1', look.photos)} />
      <h2
        id={titleId}
        className={cx('text-md font-semibold tracking-title text-pretty @xl/card:row-start-1', look.title)}
      >
        <Link href={address}>{post.title}</Link>
      </h2>
      <div className={cx('flex min-w-0 flex-col @xl/card:row-start-2', look.about)}>
        <PostFacts post={post} beside={layout === 'beside'}>
          {children}
        </PostFacts>
        {compact ? null : <p className={cx('text-base text-pretty text-ink-2', look.text)}>{post.description}</p>}
      </div>
      {auction ? <div className="mt-1 grid min-w-0 @xl/card:row-start-3">{auction}</div> : null}
    </div>
  )
}
