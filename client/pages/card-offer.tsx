import { useQuery } from '@tanstack/react-query'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { OfferButton } from '#client/features/deals/offer-button.tsx'
import type { Post, Vehicle } from '#shared/schemas/posts.ts'

/** True if the post's first vehicle is in an auction, so that it cannot receive offers. */
function useAtAuction({ id, hasAuction }: Post): boolean {
  const { data, isPending } = useQuery({ ...auctionQuery(id), enabled: hasAuction })
  return hasAuction && (isPending || data?.status === 'open' || data?.status === 'deciding')
}

export function VehicleOffer({ post, vehicle }: { post: Post; vehicle: Vehicle }) {
  const atAuction = useAtAuction(post)
  if (!atAuction || vehicle.id !== post.vehicles[0]?.id) return <OfferButton post={post} vehicle={vehicle} />
  return post.vehicleCount > 1 ? <span className="text-xs text-ink-2">In the auction</span> : null
}

export function CardOffer({ post }: { post: Post }) {
  const [vehicle] = post.vehicles
  return vehicle === undefined ? null : <VehicleOffer post={post} vehicle={vehicle} />
}
