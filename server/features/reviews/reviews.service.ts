import type { NewReview, Review, ReviewsPage } from '#shared/schemas/reviews.ts'
import { trimText } from '#shared/visible-text.ts'
import { refreshFindSellers } from '#server/features/find/refresh-find.service.ts'
import { badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { refreshRating } from '#server/features/dealers/dealers.service.ts'
import { findVisibleProfile } from '#server/features/dealers/profiles.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import {
  findDealParties,
  findReview,
  hasAnyReview,
  insertReview,
  listReviews,
  updateReply,
} from './reviews.repository.ts'

/** @throws 404 if the caller may not see the dealer's profile */
export async function readReviews(ctx: Context, actor: Actor, dealerId: string): Promise<ReviewsPage> {
  const { row } = await findVisibleProfile(ctx, actor, dealerId)
  const reviews = await listReviews(ctx.db, dealerId)
  const any = reviews.length > 0 || (await hasAnyReview(ctx.db))
  return { reviews, rating: row.rating, count: row.ratingCount, any }
}

/**
 * Reviews the other party of a completed deal, once.
 * @throws 404 if the caller is not a party to the deal; 409 if the deal is not completed or already reviewed; 400 if the text is blank
 */
export async function addReview(ctx: Context, actor: Actor, dealId: string, input: NewReview): Promise<Review> {
  const content = trimText(input.content)
  if (content === '') throw badRequest('Write a few words about the deal')
  const id = await ctx.transact(async (tx, emit) => {
    const deal = await findDealParties(tx, dealId)
    if (deal === undefined || ![deal.sellerId, deal.buyerId].includes(actor.dealerId)) throw notFound('This deal')
    if (deal.status !== 'completed') throw conflict('A deal can be reviewed once it is completed')
    const subjectId = deal.sellerId === actor.dealerId ? deal.buyerId : deal.sellerId
    const review = { dealId, authorId: actor.dealerId, subjectId, rating: input.rating, content }
    const reviewId = await insertReview(tx, review)
    if (reviewId === undefined) throw conflict('You have already reviewed this deal')
    await refreshRating(tx, subjectId)
    await refreshFindSellers(tx, [subjectId])
    await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
    await notify(tx, emit, {
      dealerId: subjectId,
      kind: 'deal',
      title: `${actor.name} rated you ${input.rating} out of 5`,
      body: content,
      path: '/dealer-profile',
      actorId: actor.dealerId,
      key: `review:${reviewId}`,
    })
    return reviewId
  })
  const review = await findReview(ctx.db, id)
  if (review === undefined) throw notFound('This review')
  return review
}

/** @throws 404 if the review does not exist; 403 if it is not about the caller; 409 if it has a reply; 400 if the text is blank */
export async function replyToReview(ctx: Context, actor: Actor, reviewId: string, content: string): Promise<Review> {
  const reply = trimText(content)
  if (reply === '') throw badRequest('Write a few words')
  const known = await findReview(ctx.db, reviewId)
  if (known === undefined) throw notFound('This review')
  if (known.subjectId !== actor.dealerId) throw forbidden('Only the reviewed dealer can reply')
  await ctx.transact(async (tx, emit) => {
    if (!(await updateReply(tx, actor.dealerId, reviewId, reply)))
      throw conflict('You have already replied to this review')
    await touchInbox(tx, emit, [actor.dealerId, known.author.id], 'deal', known.dealId)
  })
  return { ...known, reply, repliedAt: ctx.now().toISOString() }
}

export { insertPastReviews } from './reviews.repository.ts'
