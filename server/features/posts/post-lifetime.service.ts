import { sql } from 'kysely'
import type { Static } from 'typebox'
import { isBound } from '#shared/auction-rules.ts'
import type { PostDeletion, PostDetail } from '#shared/schemas/posts.ts'
import { conflict } from '#server/errors.ts'
import { endOffersFor, endOffersOnPosts } from '#server/features/deals/offers/offer-notices.service.ts'
import { refreshFind, queueMatching } from '#server/features/find/refresh-find.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Schedule } from '#server/platform/jobs/jobs.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { expireDue } from './post-edits.repository.ts'
import { removeImports } from './posts.repository.ts'
import { refuseRemoval } from './edits-under-auction.policy.ts'
import { countAvailable, listSummaryVehicles, updatePost } from '#server/features/sale/sale.service.ts'
import { postLimit, readPost } from './posts.service.ts'
import { inThirtyDays, lockOwn, followAuction, requireOfferingAgain, wasSold, offerAgain } from './own-post.service.ts'

const expireEveryMs = 30_000
const expireBatch = 200

/**
 * Deletes a post. Keeps its deals.
 * @throws 404 if the post does not exist; 403 if the dealer is not the seller; 409 if the auction has a bid; 409 with `EndsAuction` if an
 * open auction would end and `endAuction` is not set
 */
export async function deletePost(
  ctx: Context,
  actor: Actor,
  postId: string,
  { endAuction = false }: Static<typeof PostDeletion>,
): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const own = await lockOwn(tx, actor, postId)
    if (isBound(own.auction)) refuseRemoval()
    await updatePost(tx, postId, { deletedAt: sql<Date>`now()` })
    await removeImports(tx, [postId])
    const vehicles = await listSummaryVehicles(tx, postId)
    await endOffersFor(
      tx,
      emit,
      vehicles.map(({ id }) => id),
      'removed',
    )
    emit('post.removed', { postId, dealerId: own.post.dealerId })
    await queueMatching(emit, postId)
    await followAuction(tx, emit, own, { endAuction })
    await refreshFind(tx, [postId])
  })
}

/**
 * Relists a sold or expired post for 30 days, at the top of the feed. If it was sold, all its vehicles become available again.
 * @throws 404 if the post does not exist; 403 if the dealer is not the seller; 402 or 403 if the dealer may not post; 409 if the post is
 * active or all its vehicles were sold in deals; 429 after 30 posts in an hour
 */
export async function relistPost(ctx: Context, actor: Actor, postId: string): Promise<PostDetail> {
  await requireOfferingAgain(ctx, actor)
  await ctx.limiter.consume(postLimit, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    const own = await lockOwn(tx, actor, postId)
    if (own.post.status === 'active') throw conflict('This post is already active')
    if (await wasSold(tx, own.post)) await offerAgain(tx, postId)
    const state = await updatePost(tx, postId, {
      status: 'active',
      availableCount: await countAvailable(tx, postId),
      createdAt: sql<Date>`clock_timestamp()`,
      expiresAt: inThirtyDays,
    })
    await emit.job('post.summarize', { postId }, { uniqueKey: postId })
    emit('post.changed', { ...state, partial: true })
    emit('post.edited', { postId, version: state.version })
    await queueMatching(emit, postId)
    emit('post.created', { postId, dealerId: own.post.dealerId })
    await followAuction(tx, emit, own, {})
    await refreshFind(tx, [postId])
  })
  return readPost(ctx, postId, actor.dealerId)
}

export async function expirePosts(ctx: Context): Promise<void> {
  let found = expireBatch
  while (found === expireBatch) {
    found = await ctx.transact(async (tx, emit) => {
      const expired = await expireDue(tx, expireBatch)
      await refreshFind(
        tx,
        expired.map(({ postId }) => postId),
      )
      await endOffersOnPosts(
        tx,
        emit,
        expired.map(({ postId }) => postId),
        'post_expired',
      )
      for (const { dealerId: _, title: __, ...state } of expired) emit('post.changed', state)
      await emit.jobs(
        'find.match',
        expired.map(({ postId }) => ({ payload: { postId }, uniqueKey: postId })),
      )
      await notify(
        tx,
        emit,
        ...expired.map(({ postId, dealerId, title, version }) => ({
          dealerId,
          kind: 'expired' as const,
          title: `Your post expired: ${title}`,
          body: 'Relist it for another 30 days.',
          path: `/post/${postId}`,
          key: `expired:${postId}:${version}`,
        })),
      )
      return expired.length
    })
  }
}

export const postEditsSchedules: Schedule[] = [{ name: 'posts.expire', everyMs: expireEveryMs, run: expirePosts }]
