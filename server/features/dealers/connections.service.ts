import { connectAgainDays } from '#shared/limits.ts'
import type { ConnectionChange, Relation } from '#shared/schemas/dealers.ts'
import { badRequest, notFound } from '#server/errors.ts'
import { requireConnectionSlot } from '#server/features/entitlements/entitlements.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  findBlock,
  findConnectionCount,
  findRequester,
  hasConnection,
  insertConnection,
  insertRequest,
  listRelations,
  lockDealers,
  removeConnection,
  removeFromNetworks,
  updateOpenRequest,
  wasDeclined,
} from './connections.repository.ts'

const connectLimit = { name: 'connect', max: 60, seconds: 60 }

/** Returns the caller's relation to each of the other dealers, even if they are not connected. */
export async function relationsTo(db: Db, dealerId: string, otherIds: string[]): Promise<Map<string, Relation>> {
  const rows = await listRelations(db, dealerId, otherIds)
  return new Map(
    [...rows].map(([id, { connected, back, mutual }]) => [
      id,
      { connected, degree: connected && back ? '1st' : null, mutualConnections: mutual },
    ]),
  )
}

export const isBlocked = (db: Db, one: string, other: string): Promise<boolean> => findBlock(db, one, other)

async function answerOf(tx: Tx, dealerId: string, connected: boolean, mutual: boolean): Promise<ConnectionChange> {
  return { connected, degree: mutual ? '1st' : null, connectionCount: await findConnectionCount(tx, dealerId) }
}

/** Requests a mutual connection. Does nothing if a request is pending or was recently declined. */
async function ask(tx: Tx, emit: Emit, actor: Actor, otherId: string, name: string): Promise<void> {
  if (await wasDeclined(tx, actor.dealerId, otherId, connectAgainDays)) return
  const requestId = await insertRequest(tx, actor.dealerId, otherId)
  if (requestId === undefined) return
  await touchInbox(tx, emit, [otherId], 'request', requestId)
  await notify(tx, emit, {
    dealerId: otherId,
    actorId: actor.dealerId,
    kind: 'request',
    title: `${name} wants to connect`,
    path: `/dealers/${actor.dealerId}`,
    key: `request:${requestId}`,
  })
}

async function makeMutual(tx: Tx, emit: Emit, actor: Actor, otherId: string, name: string): Promise<void> {
  await touchInbox(tx, emit, [actor.dealerId], 'connection', otherId)
  await touchInbox(tx, emit, [otherId], 'connection', actor.dealerId)
  await notify(tx, emit, {
    dealerId: otherId,
    actorId: actor.dealerId,
    kind: 'accepted',
    title: `You are now connected with ${name}`,
    path: `/dealers/${actor.dealerId}`,
  })
}

/**
 * Adds a dealer to the caller's network. Sends a request, or accepts the request that the other dealer has already sent. Idempotent.
 * @throws 400 if `otherId` is the caller; 402 if the plan's limit is reached; 404 if the other dealer is deleted or blocked; 429
 */
export async function connect(ctx: Context, actor: Actor, otherId: string): Promise<ConnectionChange> {
  if (otherId === actor.dealerId) throw badRequest('You cannot connect with yourself')
  await ctx.limiter.consume(connectLimit, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    const { dealerId } = actor
    const dealers = await lockDealers(tx, [dealerId, otherId])
    if (!dealers.has(otherId) || (await findBlock(tx, dealerId, otherId))) throw notFound('This dealer')
    const mutual = await hasConnection(tx, otherId, dealerId)
    if (await hasConnection(tx, dealerId, otherId)) return answerOf(tx, dealerId, true, mutual)
    await requireConnectionSlot(tx, dealerId)
    await insertConnection(tx, dealerId, otherId)
    const name = dealers.get(dealerId)?.name ?? ''
    if (mutual) {
      const requestId = await updateOpenRequest(tx, { requesterId: otherId, dealerId }, 'accepted')
      if (requestId !== undefined) await touchInbox(tx, emit, [dealerId], 'request', requestId)
      await makeMutual(tx, emit, actor, otherId, name)
    } else {
      await touchInbox(tx, emit, [dealerId], 'connection', otherId)
      await ask(tx, emit, actor, otherId, name)
    }
    return answerOf(tx, dealerId, true, mutual)
  })
}

/** Ends a connection on both sides and withdraws a pending request. Idempotent. */
export async function disconnect(ctx: Context, actor: Actor, otherId: string): Promise<ConnectionChange> {
  await ctx.limiter.consume(connectLimit, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    const { dealerId } = actor
    await lockDealers(tx, [dealerId, otherId])
    if (!(await removeConnection(tx, dealerId, otherId))) return answerOf(tx, dealerId, false, false)
    const wasMutual = await removeConnection(tx, otherId, dealerId)
    const requestId = await updateOpenRequest(tx, { requesterId: dealerId, dealerId: otherId }, 'withdrawn')
    await touchInbox(tx, emit, [dealerId], 'connection', otherId)
    if (wasMutual) await touchInbox(tx, emit, [otherId], 'connection', dealerId)
    if (requestId !== undefined) await touchInbox(tx, emit, [otherId], 'request', requestId)
    return answerOf(tx, dealerId, false, false)
  })
}

/** @throws 404 if the request is not pending or the dealers are blocked; 402 if the plan's limit is reached */
export async function answerRequest(
  ctx: Context,
  actor: Actor,
  requestId: string,
  answer: 'accepted' | 'declined',
): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const { dealerId } = actor
    const requesterId = await findRequester(tx, dealerId, requestId)
    if (requesterId === undefined) throw notFound('This request')
    if (answer === 'accepted' && (await findBlock(tx, dealerId, requesterId))) throw notFound('This request')
    const dealers = await lockDealers(tx, [dealerId, requesterId])
    // Close the request under the lock, because the requester may withdraw it at the same time.
    if ((await updateOpenRequest(tx, { requesterId, dealerId }, answer)) === undefined) throw notFound('This request')
    await touchInbox(tx, emit, [dealerId], 'request', requestId)
    if (answer === 'declined') return
    if (!(await hasConnection(tx, dealerId, requesterId))) {
      await requireConnectionSlot(tx, dealerId)
      await insertConnection(tx, dealerId, requesterId)
    }
    await insertConnection(tx, requesterId, dealerId)
    await makeMutual(tx, emit, actor, requesterId, dealers.get(dealerId)?.name ?? '')
  })
}

export const removeFromAllNetworks = (tx: Tx, dealerId: string): Promise<string[]> => removeFromNetworks(tx, dealerId)
