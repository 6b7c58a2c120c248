import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

const reviewMax = 2_000

export const Review = Type.Object({
  id: Id,
  dealId: Id,
  rating: Type.Integer(),
  content: Type.String(),
  reply: Nullable(Type.String()),
  createdAt: Timestamp,
  repliedAt: Nullable(Timestamp),
  subjectId: Id,
  author: Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()), dealershipName: Type.String() }),
})
export type Review = Static<typeof Review>

/** Each party can review a deal once. */
export const NewReview = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  content: Type.String({ minLength: 1, maxLength: reviewMax }),
})
export type NewReview = Static<typeof NewReview>

export const NewReply = Type.Object({ content: Type.String({ minLength: 1, maxLength: reviewMax }) })

/** `any` is false if nobody in the network has a review yet. */
export const ReviewsPage = Type.Object({
  reviews: Type.Array(Review),
  rating: Nullable(Type.Number()),
  count: Type.Integer(),
  any: Type.Boolean(),
})
export type ReviewsPage = Static<typeof ReviewsPage>
