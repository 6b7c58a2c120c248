import { type ReactNode } from 'react'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** Parts of a card that other features render. Omitted parts are not shown. */
export interface PostCardSlots {
  /** Replaces the LIVE badge and the status of a post. If it returns null, they stay. */
  renderBadges?: (post: Post) => ReactNode
  renderAuction?: (post: Post) => ReactNode
  renderNotice?: (post: Post) => ReactNode
  /** Rendered next to the price of a single vehicle, on other dealers' posts. */
  renderOffer?: (post: Post) => ReactNode
  onDealerProfile?: (dealer: Dealer) => void
  onMessage?: (dealer: Dealer, post: Post) => void
  /** Renders the comments below the footer. Their element must have this `id`, because the button's `aria-controls` refers to it. */
  renderComments?: (post: Post, id: string) => ReactNode
  /** Renders toggle buttons next to Like, on other dealers' posts. */
  renderToggles?: (post: Post) => ReactNode
}
