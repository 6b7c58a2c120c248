import { notFound } from '#server/errors.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import { decideRequest, insertConnection } from './connections.repository.ts'

/** Accepting makes the connection mutual; both sides hear it. @throws 404 when no such request waits for this dealer. */
export async function answerRequest(
  ctx: Context,
  actor: Actor,
  requestId: string,
  answer: 'accepted' | 'declined',
): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const request = await decideRequest(tx, actor.dealerId, requestId, answer)
    if (request === undefined) throw notFound('This request')
    if (answer === 'accepted') {
      await insertConnection(tx, actor.dealerId, request.requesterId)
      await insertConnection(tx, request.requesterId, actor.dealerId)
      await touchInbox(tx, emit, [actor.dealerId, request.requesterId], 'connection', request.requesterId)
    } else await touchInbox(tx, emit, [actor.dealerId], 'request', requestId)
  })
}
