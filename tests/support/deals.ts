import type { DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import type { Caller } from './app.ts'
import { publish } from './factories.ts'

/** A deal that the seller has approved, as the seller sees it. */
export async function aDealWith(seller: Caller, buyer: Caller, about: Partial<NewPost> = {}): Promise<DealDetail> {
  const postId = await publish(seller, about)
  const { body: post } = await buyer.get<PostDetail>(`/api/inventory/${postId}`)
  const vehicleId = post.vehicles[0]?.id ?? ''
  const offer = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  const { dealId } = (await seller.post<Offer>(`/api/offers/${offer.body.id}/accept`, {})).body
  return (await seller.post<DealDetail>(`/api/deal/${dealId}/approve`)).body
}
