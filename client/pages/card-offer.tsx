import { useQuery } from '@tanstack/react-query'
import { auctionQuery } from '#client/lib/held-auctions.ts'
import { OfferButton } from '#client/features/deals/offer-button.tsx'
import type { Post, Vehicle } from '#shared/schemas/posts.ts'

/** Whether an auction decides who buys the post's first vehicle, or may: then nobody makes an offer on that. */
function useAtAuction({ id, hasAuction }: Post): boolean {
  const { data, isPending } = useQuery({ ...auctionQuery(id), enabled: hasAuction })
  return hasAuction && (isPending || data?.status === 'open' || data?.status === 'deciding')
}

/** On a vehicle of a post of somebody else's; of several, the one that is bid on is named so. */
export function VehicleOffer({ post, vehicle }: { post: Post; vehicle: Vehicle }) {
  const atAuction = useAtAuction(post)
  if (!atAuction || vehicle.id !== post.vehicles[0]?.id) return <OfferButton post={post} vehicle={vehicle} />
  return post.vehicleCount > 1 ? <span className="text-xs text-ink-2">In the auction</span> : null
}

/** On the one vehicle of a post of somebody else's. */
export function CardOffer({ post }: { post: Post }) {
  const [vehicle] = post.vehicles
  return vehicle === undefined ? null : <VehicleOffer post={post} vehicle={vehicle} />
}
