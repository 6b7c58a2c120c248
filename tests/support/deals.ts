import type { DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Caller } from './app.ts'
import { publish } from './factories.ts'

/** A deal on the post's first vehicle that the seller has approved, as the seller sees it. */
export async function aDealOn(postId: string, seller: Caller, buyer: Caller): Promise<DealDetail> {
  const { body: post } = await buyer.get<PostDetail>(`/api/inventory/${postId}`)
  const vehicleId = post.vehicles[0]?.id ?? ''
  const offer = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  const { dealId } = (await seller.post<Offer>(`/api/offers/${offer.body.id}/accept`, {})).body
  return (await seller.post<DealDetail>(`/api/deal/${dealId}/approve`)).body
}

/** The same on a post of its own. */
export const aDealWith = async (seller: Caller, buyer: Caller): Promise<DealDetail> =>
  aDealOn(await publish(seller), seller, buyer)
