import { type ReactNode } from 'react'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Post } from '#shared/schemas/posts.ts'

export interface PostCardSlots {
  /** Renders badges instead of the LIVE badge and the post's status. If it returns null, those are shown. */
  renderBadges?: (post: Post) => ReactNode
  renderAuction?: (post: Post) => ReactNode
  renderNotice?: (post: Post) => ReactNode
  renderOffer?: (post: Post) => ReactNode
  onDealerProfile?: (dealer: Dealer) => void
  onMessage?: (dealer: Dealer, post: Post) => void
  /** Renders the comments below the footer. Their element must have this `id`, because a button's `aria-controls` refers to it. */
  renderComments?: (post: Post, id: string) => ReactNode
  renderToggles?: (post: Post) => ReactNode
}
