import { formatVehicle } from '#shared/format.ts'
import { lowPriceShare } from '#shared/constants/wanted.ts'
import { type DealersOrders, marketVehiclesMin } from '#shared/schemas/wanted.ts'
import { notFound } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/audit/audit.service.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { listOrders, lockOrder, updateOrder } from './orders.repository.ts'
import { setOrderWatcher } from './watchers.repository.ts'

const listedDays = 90
const dayMs = 24 * 3_600_000

async function subjectOf(tx: Tx, dealerId: string): Promise<Act['subject']> {
  const dealer = await lockDealer(tx, dealerId)
  if (dealer === undefined) throw notFound('This dealer')
  return { kind: 'user', id: dealerId, name: dealer.name || dealer.email }
}

async function ordersOf({ db, now: clock }: Context, dealerId: string): Promise<DealersOrders> {
  const now = clock()
  const bounds = { now, lowShare: lowPriceShare, vehiclesMin: marketVehiclesMin }
  return { orders: await listOrders(db, dealerId, bounds, new Date(now.getTime() - listedDays * dayMs)) }
}

/** Lists the dealer's orders. Records the moderator's access in the audit log. @throws 404 if the dealer does not exist */
export async function viewDealersOrders(ctx: Context, by: By, dealerId: string): Promise<DealersOrders> {
  await ctx.transact(async (tx) => recordAct(tx, by, { action: 'order.view', subject: await subjectOf(tx, dealerId) }))
  return ordersOf(ctx, dealerId)
}

/** Ends an order. The dealer gets the reason and may renew the order. Idempotent. @throws 404 if the dealer or order does not exist */
export async function endDealersOrder(
  ctx: Context,
  by: By,
  { id: dealerId, orderId }: { id: string; orderId: string },
  reason: string,
): Promise<DealersOrders> {
  await ctx.transact(async (tx, emit) => {
    const subject = await subjectOf(tx, dealerId)
    const order = await lockOrder(tx, dealerId, orderId)
    if (order === undefined) throw notFound('This buy order')
    if (order.status === 'ended') return
    await updateOrder(tx, orderId, { status: 'ended', pauseReason: null })
    await setOrderWatcher(tx, [orderId], false)
    const before = { order: orderId, status: order.status }
    await recordAct(tx, by, { action: 'order.end', subject, reason, before, after: { status: 'ended' } })
    await touchInbox(tx, emit, [dealerId], 'match', orderId)
    const { make, model, trims } = order
    await notify(tx, emit, {
      dealerId,
      kind: 'moderation',
      title: `Your buy order was ended: ${formatVehicle({ year: null, make, model, trim: trims.join(', ') })}`,
      body: reason,
      path: '/wanted',
      key: `order-ended:${orderId}:${by.requestId}`,
    })
  })
  return ordersOf(ctx, dealerId)
}
