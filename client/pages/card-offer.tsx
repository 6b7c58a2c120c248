import { useQuery } from '@tanstack/react-query'
import { auctionQuery } from '#client/lib/held-auctions.ts'
import { OfferButton } from '#client/features/deals/offer-button.tsx'
import type { Post } from '#shared/schemas/posts.ts'

/** Whether an auction decides who buys, or may: then nobody makes an offer. */
export function useAtAuction(post: Pick<Post, 'id' | 'hasAuction'> | undefined): boolean {
  const hasAuction = post?.hasAuction === true
  const { data, isPending } = useQuery({ ...auctionQuery(post?.id ?? ''), enabled: hasAuction })
  return hasAuction && (isPending || data?.status === 'open' || data?.status === 'deciding')
}

/** On the one vehicle of a post of somebody else's. */
export function CardOffer({ post }: { post: Post }) {
  const atAuction = useAtAuction(post)
  const [vehicle] = post.vehicles
  return atAuction || vehicle === undefined ? null : <OfferButton post={post} vehicle={vehicle} />
}
