import { badRequest, notFound } from '#server/errors.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import {
  closeRequests,
  dealerExists,
  decideRequest,
  insertConnection,
  insertRequest,
  removeConnection,
} from './connections.repository.ts'

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

/**
 * Adds a dealer to the caller's network at once and asks the other side; where the other side has asked already,
 * this is the answer. Repeating it changes nothing. @throws 404 unknown dealer, 400 oneself
 */
export async function connect(ctx: Context, actor: Actor, otherId: string): Promise<void> {
  if (otherId === actor.dealerId) throw badRequest('You cannot connect with yourself')
  await ctx.transact(async (tx, emit) => {
    if (!(await dealerExists(tx, otherId))) throw notFound('This dealer')
    if (!(await insertConnection(tx, actor.dealerId, otherId))) return
    await closeRequests(tx, otherId, actor.dealerId, 'accepted')
    const requestId = await insertRequest(tx, actor.dealerId, otherId)
    if (requestId !== undefined) await touchInbox(tx, emit, [otherId], 'request', requestId)
    await touchInbox(tx, emit, [actor.dealerId, otherId], 'connection', otherId)
  })
}

/** Takes a dealer out of the caller's network and withdraws what still waits. Repeating it changes nothing. */
export async function disconnect(ctx: Context, actor: Actor, otherId: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    await closeRequests(tx, actor.dealerId, otherId, 'withdrawn')
    if (!(await removeConnection(tx, actor.dealerId, otherId))) return
    await touchInbox(tx, emit, [otherId], 'request', actor.dealerId)
    await touchInbox(tx, emit, [actor.dealerId, otherId], 'connection', otherId)
  })
}
