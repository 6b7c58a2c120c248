import { type ReactNode } from 'react'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** Parts of a card that other features provide. Absent ones are not rendered. */
export interface PostCardSlots {
  /** Replaces LIVE and the status, for a post whose state another feature knows. Null keeps them. */
  renderBadges?: (post: Post) => ReactNode
  renderAuction?: (post: Post) => ReactNode
  renderNotice?: (post: Post) => ReactNode
  /** Next to the price of a single vehicle, on other dealers' posts. */
  renderOffer?: (post: Post) => ReactNode
  onDealerProfile?: (dealer: Dealer) => void
  onMessage?: (dealer: Dealer, post: Post) => void
  /** The comments below the footer. `id` is the one that the button's `aria-controls` names. */
  renderComments?: (post: Post, id: string) => ReactNode
  /** Toggle buttons in addition to Like, on other dealers' posts. */
  renderToggles?: (post: Post) => ReactNode
}
