import Type from 'typebox'
import { matchesPage, type OrderMatches } from '#shared/schemas/wanted.ts'
import { notFound } from '#server/errors.ts'
import { readFoundVehicles } from '#server/features/find/read-vehicles.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/http/page-cursors.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { dismissVehicle, listMatches, type MatchKey, updateSeen } from './matches.repository.ts'
import { vehicleAnswered } from './order-answers.service.ts'
import { isOwnOrder } from './orders.repository.ts'
import { listMiles } from './watchers.repository.ts'

export async function readMatches(ctx: Context, actor: Actor, cursor: string | undefined): Promise<OrderMatches> {
  const after = cursor === undefined ? undefined : decodeCursor(Type.Object(TimeKey.properties), cursor)
  const rows = await listMatches(ctx.db, actor.dealerId, { limit: matchesPage + 1, after })
  const shown = rows.slice(0, matchesPage)
  const [vehicles, miles] = await Promise.all([
    readFoundVehicles(
      ctx.db,
      actor.dealerId,
      shown.map(({ rowNo }) => rowNo),
      ctx.now(),
    ),
    listMiles(ctx.db, shown),
  ])
  const last = rows.length > matchesPage ? shown.at(-1) : undefined
  const items = shown.flatMap(({ orderId, vehicleId, at, state, orderCents, askedCents, lastOffer }) => {
    const vehicle = vehicles.get(vehicleId)
    if (vehicle === undefined) return []
    return {
      orderId,
      at: new Date(at).toISOString(),
      state,
      offer: dollarsOf(Math.min(orderCents, askedCents ?? orderCents)),
      lastOffer,
      vehicle: { ...vehicle, miles: miles.get(`${orderId}:${vehicleId}`) ?? null },
    }
  })
  return { items, next: last === undefined ? null : encodeCursor({ at: last.at, id: last.vehicleId }) }
}

/** Dismisses a match for all of the dealer's orders. @throws 404 if the dealer has no such match */
export async function dismissMatch(ctx: Context, { dealerId }: Actor, { orderId, vehicleId }: MatchKey): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if (!(await isOwnOrder(tx, dealerId, orderId)) || !(await dismissVehicle(tx, dealerId, vehicleId)))
      throw notFound('This match')
    await vehicleAnswered(tx, dealerId, vehicleId)
    await touchInbox(tx, emit, [dealerId], 'match', orderId)
  })
}

export async function seeMatches(ctx: Context, actor: Actor, vehicleIds: readonly string[]): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if ((await updateSeen(tx, actor.dealerId, vehicleIds)) > 0)
      await touchInbox(tx, emit, [actor.dealerId], 'match', actor.dealerId)
  })
}
