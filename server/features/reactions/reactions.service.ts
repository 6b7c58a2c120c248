import { sql } from 'kysely'
import type { ReactionKind } from '#shared/schemas/posts.ts'
import { notFound } from '#server/errors.ts'
import { lockPost, updatePost } from '#server/features/posts/posts-changes.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import { insertReaction, removeReaction } from './reactions.repository.ts'

const reactionLimit = { name: 'reactions', max: 60, seconds: 60 }
const counterOf = { like: 'like_count', info: 'info_count' } as const

/** Turns a toggle on or off; repeating it changes nothing. @throws 404 */
export async function setReaction(
  ctx: Context,
  actor: Actor,
  postId: string,
  kind: ReactionKind,
  on: boolean,
): Promise<void> {
  await ctx.limiter.consume(reactionLimit, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    const post = await lockPost(tx, postId)
    if (post === undefined) throw notFound('This post')
    const change = on ? insertReaction : removeReaction
    if (!(await change(tx, postId, actor.dealerId, kind))) return
    const counter = sql<number>`${sql.ref(counterOf[kind])} + ${on ? 1 : -1}`
    emit(
      'post.changed',
      await updatePost(tx, postId, kind === 'like' ? { likeCount: counter } : { infoCount: counter }),
    )
    if (on && kind === 'info' && post.dealerId !== actor.dealerId) {
      emit('post.infoRequested', { postId, sellerId: post.dealerId, dealerId: actor.dealerId })
      await emit.job('notification.info', { postId, dealerId: actor.dealerId })
    }
  })
}
