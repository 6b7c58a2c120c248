import { forbidden } from '#server/errors.ts'
import type { ReactionKind } from '#shared/schemas/posts.ts'
import { countOnPost, lockVisiblePost } from '../posts-changes.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { insertReaction, removeReaction } from './reactions.repository.ts'

const reactionLimit = { name: 'reactions', max: 60, seconds: 60 }
const counterOf = { like: 'likeCount', info: 'infoCount' } as const

/** Adds or removes a reaction. Idempotent. @throws 404 if the post is deleted or hidden; 403 if it is the dealer's own post */
export async function setReaction(
  ctx: Context,
  actor: Actor,
  postId: string,
  kind: ReactionKind,
  on: boolean,
): Promise<void> {
  await ctx.limiter.consume(reactionLimit, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    const post = await lockVisiblePost(tx, postId)
    if (on && post.dealerId === actor.dealerId) throw forbidden('You cannot react to your own post')
    const change = on ? insertReaction : removeReaction
    if (!(await change(tx, postId, actor.dealerId, kind))) return
    await countOnPost(tx, emit, postId, counterOf[kind], on ? 1 : -1)
    if (on && kind === 'info') {
      emit('post.infoRequested', { postId, sellerId: post.dealerId, dealerId: actor.dealerId })
      await emit.job('notification.info', { postId, dealerId: actor.dealerId })
    }
  })
}
