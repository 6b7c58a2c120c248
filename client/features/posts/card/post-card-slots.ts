import { type ReactNode } from 'react'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** What other features add to a card; the page fills it. What is absent is not drawn. */
export interface PostCardSlots {
  /** In the place of LIVE and the status, for a post of which another feature knows how it stands; null: they stay. */
  renderBadges?: (post: Post) => ReactNode
  /** Beside the photos of a live post, 240 px. */
  renderAuction?: (post: Post) => ReactNode
  /** What only the seller is told about the post. */
  renderNotice?: (post: Post) => ReactNode
  /** Beside the price of a post of one vehicle, on the posts of others. */
  renderOffer?: (post: Post) => ReactNode
  onDealerProfile?: (dealer: Dealer) => void
  onMessage?: (dealer: Dealer, post: Post) => void
  /** The post's comments, below its footer: `id` is what the button that opens them names. */
  renderComments?: (post: Post, id: string) => ReactNode
  /** More toggles beside like and need more info, on the posts of others. */
  renderToggles?: (post: Post) => ReactNode
}
