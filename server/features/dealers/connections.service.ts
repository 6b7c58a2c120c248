import { connectAgainDays } from '#shared/limits.ts'
import type { ConnectionChange, Relation } from '#shared/schemas/dealers.ts'
import { badRequest, notFound } from '#server/errors.ts'
import { requireConnectionSlot } from '#server/features/billing/billing.policy.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
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

/** How each of these dealers stands to the caller; those without any tie are in it too. */
export async function relationsTo(db: Db, dealerId: string, otherIds: string[]): Promise<Map<string, Relation>> {
  const rows = await listRelations(db, dealerId, otherIds)
  return new Map(
    [...rows].map(([id, { connected, back, mutual }]) => [
      id,
      { connected, degree: connected && back ? '1st' : null, mutualConnections: mutual },
    ]),
  )
}

/** Whether one of the two has blocked the other. */
export const isBlocked = (db: Db, one: string, other: string): Promise<boolean> => findBlock(db, one, other)

async function answerOf(tx: Tx, dealerId: string, connected: boolean, mutual: boolean): Promise<ConnectionChange> {
  return { connected, degree: mutual ? '1st' : null, connectionCount: await findConnectionCount(tx, dealerId) }
}

/** Asks the other side, unless they were asked already or have said no lately. */
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

/** Both have each other now: said to both, and told to the one who waited. */
async function becomeMutual(tx: Tx, emit: Emit, actor: Actor, otherId: string, name: string): Promise<void> {
  await touchInbox(tx, emit, [actor.dealerId], 'connection', otherId)
  await touchInbox(tx, emit, [otherId], 'connection', actor.dealerId)
  await notify(tx, emit, {
    dealerId: otherId,
    actorId: actor.dealerId,
    kind: 'accepted',
    title: `${name} is now connected with you`,
    path: `/dealers/${actor.dealerId}`,
  })
}

/**
 * Adds a dealer to the caller's network at once and asks the other side; if they asked first, that accepts
 *. Repeating it changes nothing.
 * @throws 400 for oneself, 402 where the plan has no room, 404 for nobody
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
      await becomeMutual(tx, emit, actor, otherId, name)
    } else {
      await touchInbox(tx, emit, [dealerId], 'connection', otherId)
      await ask(tx, emit, actor, otherId, name)
    }
    return answerOf(tx, dealerId, true, mutual)
  })
}

/**
 * Ends a connection: the dealer leaves the caller's network, a mutual one ends on both sides, and a request that still
 * waits is withdrawn. Repeating it changes nothing.
 */
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

/**
 * Accepting makes the connection mutual; both sides hear it.
 * @throws 404 when no such request waits for this dealer, or to accept one with a block on either side; 402 where the plan has no room
 */
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
    // Under the lock: of an answer here and a withdrawal there, one is first.
    if ((await updateOpenRequest(tx, { requesterId, dealerId }, answer)) === undefined) throw notFound('This request')
    await touchInbox(tx, emit, [dealerId], 'request', requestId)
    if (answer === 'declined') return
    if (!(await hasConnection(tx, dealerId, requesterId))) {
      await requireConnectionSlot(tx, dealerId)
      await insertConnection(tx, dealerId, requesterId)
    }
    await insertConnection(tx, requesterId, dealerId)
    await becomeMutual(tx, emit, actor, requesterId, dealers.get(dealerId)?.name ?? '')
  })
}

/** A dealer who goes is in nobody's network any more, and nobody waits for an answer. Answers who has to hear of it. */
export const leaveNetworks = (tx: Tx, dealerId: string): Promise<string[]> => removeFromNetworks(tx, dealerId)
