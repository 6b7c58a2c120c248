import { formatMoney, formatVehicle } from '#shared/format.ts'
import { buyOrdersMax, lowPriceShare } from '#shared/constants/wanted.ts'
import {
  type BuyOrder,
  type BuyOrderPatch,
  type BuyOrders,
  marketVehiclesMin,
  type NewBuyOrder,
  type OrderPreview,
  type OrderSearch,
  priceChangeMs,
} from '#shared/schemas/wanted.ts'
import { drives, traitNumber, traitOf, wordKey } from '#shared/vehicle-traits.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { requireOffering } from '#server/features/entitlements/entitlements.service.ts'
import { lockDealerAlone, listStaff } from '#server/features/dealers/dealers.service.ts'
import { emailUnconfirmed } from '#server/features/dealers/licenses.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { countRead } from '#server/platform/http/guards.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  countStanding,
  countTotals,
  expireOrders,
  findOrder,
  insertOrder,
  isEmailVerified,
  isOrderOver,
  listOrders,
  lockOrder,
  readMarket,
  removeOrders,
  type StoredOrder,
  updateFlagged,
  updateOrder,
} from './orders.repository.ts'
import { findPlaceId, setOrderWatcher, upsertOrderWatcher, type Watched } from './watchers.repository.ts'

const dayMs = 24 * 3_600_000
const orderLimit = { name: 'buy-orders', max: 120, seconds: 3_600 }
const endedDays = 90
const renewDays = 30

const boundsAt = (now: Date) => ({ now, lowShare: lowPriceShare, vehiclesMin: marketVehiclesMin })

export async function readOrders(ctx: Context, actor: Actor): Promise<BuyOrders> {
  const bounds = boundsAt(ctx.now())
  const endedSince = new Date(bounds.now.getTime() - endedDays * dayMs)
  const [orders, counts] = await Promise.all([
    listOrders(ctx.db, actor.dealerId, bounds, endedSince),
    countTotals(ctx.db, actor.dealerId, bounds.now),
  ])
  const standing = orders.filter(({ state }) => state !== 'ended')
  const sum = (of: (order: BuyOrder) => number) => standing.reduce((all, order) => all + of(order), 0)
  return {
    orders,
    zip: counts.zip ?? '',
    totals: {
      active: standing.filter(({ state }) => state === 'active').length,
      matchesToday: counts.matchesToday,
      newMatches: counts.newMatches,
      offers: counts.offers,
      nextAnswerAt: counts.nextAnswerAt?.toISOString() ?? null,
      bought: sum(({ bought }) => bought),
      perMonth: sum(({ perMonth }) => perMonth),
    },
  }
}

async function requireKnownPlace(
  db: Db,
  { near, within }: Pick<OrderSearch, 'near' | 'within'>,
): Promise<number | null> {
  if (within !== null && near.trim() === '')
    throw badRequest('Enter a ZIP or postal code, or set the distance to "Any distance"', { fields: ['near'] })
  const placeId = await findPlaceId(db, near)
  if (near.trim() !== '' && placeId === null)
    throw badRequest("We don't recognize this ZIP or postal code", { fields: ['near'] })
  return placeId
}

const nothing = {
  yearNone: false,
  priceMin: null,
  priceMax: null,
  priceNone: false,
  milesMin: null,
  milesNone: false,
  bodies: null,
  fuels: null,
  sales: null,
  postedDays: null,
} as const

function watchedBy(search: OrderSearch, placeId: number | null): Watched {
  const [makeKey, modelKey] = [wordKey(search.make), wordKey(search.model)]
  if (makeKey === '' || modelKey === '') throw badRequest('Enter a make and model', { fields: ['model'] })
  const trimKeys = search.trims.map(wordKey).filter((key) => key !== '')
  const years = [search.yearFrom, search.yearTo].filter((year) => year !== null)
  return {
    ...nothing,
    makeKey,
    modelKey,
    trimKeys: trimKeys.length === 0 ? null : trimKeys,
    // Swap the bounds if they are in reverse order.
    yearMin: search.yearFrom === null ? null : Math.min(...years),
    yearMax: search.yearTo === null ? null : Math.max(...years),
    milesMax: search.milesMax,
    placeId,
    radius: placeId === null ? null : search.within,
    drives: search.drive === null ? null : [traitNumber(drives, search.drive)],
    connectedOnly: false,
    ratingMin: null,
    photosOnly: search.photosOnly,
  }
}

const columnsOf = (order: NewBuyOrder) => ({
  make: order.make.trim(),
  model: order.model.trim(),
  trims: order.trims.map((trim) => trim.trim()),
  near: order.near.trim().toUpperCase(),
  priceCents: centsOf(order.price),
  perMonth: order.perMonth,
  showName: order.showName,
  note: order.note.trim(),
})

const inDays = (now: Date, days: number) => new Date(now.getTime() + days * dayMs)

const nameOf = ({ make, model, trims }: Pick<NewBuyOrder, 'make' | 'model' | 'trims'>): string =>
  formatVehicle({ year: null, make, model, trim: trims.join(', ') })

/** Notifies moderators once per price. `flaggedCents` is the price about which they were last notified, or null. */
async function flagLowPrice(
  tx: Tx,
  emit: Emit,
  actor: Actor,
  { order, flaggedCents }: { order: BuyOrder; flaggedCents: number | null },
): Promise<void> {
  // An order paused for lack of a plan resumes without another check, so check its price now.
  const isSeen = order.state === 'active' || order.state === 'filled' || order.pauseReason === 'plan'
  const known = order.isLow ? flaggedCents : null
  const cents = order.isLow && isSeen ? centsOf(order.price) : known
  await updateFlagged(tx, order.id, cents)
  if (cents === known) return
  const staff = await listStaff(tx, 'admin')
  await notify(
    tx,
    emit,
    ...staff.map((dealerId) => ({
      dealerId,
      actorId: actor.dealerId,
      kind: 'moderation' as const,
      title: `Buy order far below asking prices: ${nameOf(order)} for ${formatMoney(order.price)}`,
      body: 'Sellers of matching vehicles see this price. The dealer was warned.',
      path: `/admin/users/${actor.dealerId}`,
      key: `low-order:${order.id}:${order.version}`,
    })),
  )
}

/** @throws 403 if the email address is not confirmed; 402 without a plan */
async function requireBuying(ctx: Context, actor: Actor): Promise<void> {
  if (!(await isEmailVerified(ctx.db, actor.dealerId)))
    throw emailUnconfirmed('Confirm your email address first, so sellers can reach you')
  await requireOffering(ctx, actor.dealerId)
}

async function requireRoom(tx: Tx, dealerId: string, now: Date): Promise<void> {
  if ((await countStanding(tx, dealerId, now)) >= buyOrdersMax)
    throw conflict(`You can have up to ${buyOrdersMax} buy orders. End one first`)
}

async function readOwn(db: Db, actor: Actor, orderId: string, now: Date): Promise<BuyOrder> {
  const order = await findOrder(db, actor.dealerId, orderId, boundsAt(now))
  if (order === undefined) throw notFound('This buy order')
  return order
}

/** @throws 402 without a plan; 403 if the email is not confirmed; 400 if the place is unknown; 409 if there are too many orders; 429 */
export async function placeOrder(ctx: Context, actor: Actor, input: NewBuyOrder): Promise<BuyOrder> {
  await requireBuying(ctx, actor)
  await ctx.limiter.consume(orderLimit, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    await lockDealerAlone(tx, actor.dealerId)
    await requireRoom(tx, actor.dealerId, ctx.now())
    const watched = watchedBy(input, await requireKnownPlace(tx, input))
    const orderId = await insertOrder(tx, actor.dealerId, {
      ...columnsOf(input),
      expiresAt: inDays(ctx.now(), input.days),
    })
    await upsertOrderWatcher(tx, actor.dealerId, orderId, { ...watched, active: true })
    const order = await readOwn(tx, actor, orderId, ctx.now())
    await touchInbox(tx, emit, [actor.dealerId], 'match', orderId)
    await flagLowPrice(tx, emit, actor, { order, flaggedCents: null })
    return order
  })
}

const daysLeft = (order: StoredOrder, now: Date) =>
  Math.min(90, Math.max(1, Math.ceil((order.expiresAt.getTime() - now.getTime()) / dayMs)))

function termsOf(order: StoredOrder, now: Date): NewBuyOrder {
  const { make, model, trims, near, perMonth, showName, note, photosOnly } = order
  return {
    make,
    model,
    trims,
    near,
    perMonth,
    showName,
    note,
    photosOnly,
    price: dollarsOf(order.priceCents),
    yearFrom: order.yearMin,
    yearTo: order.yearMax,
    milesMax: order.milesMax ?? 1,
    within: order.radius,
    drive: traitOf(drives, order.drives?.[0] ?? 0),
    days: daysLeft(order, now),
  }
}

type Act = NonNullable<BuyOrderPatch['act']>

const statusAfter = {
  pause: { status: 'paused', pauseReason: 'self' },
  resume: { status: 'active', pauseReason: null },
  renew: { status: 'active', pauseReason: null },
  end: { status: 'ended', pauseReason: null },
} as const satisfies Record<Act, object>

const reactivatingActs: ReadonlySet<Act | undefined> = new Set(['resume', 'renew'])

function assertMay(order: StoredOrder, act: Act | undefined, isOver: boolean): void {
  if (isOver && act !== 'renew') throw conflict('This buy order has ended. Renew it first')
  if (!isOver && act === 'resume' && order.status !== 'paused') throw conflict('This buy order is not paused')
}

/** Limits how often the price can change, because a dealer could otherwise probe for the sellers' asking prices. */
function assertPriceNotJustChanged(order: StoredOrder, change: BuyOrderPatch, now: Date): void {
  if (change.price === undefined || centsOf(change.price) === order.priceCents) return
  if (now.getTime() - order.pricedAt.getTime() < priceChangeMs)
    throw conflict('You can change the price once a minute. Try again in a moment', { fields: ['price'] })
}

/** Returns the new expiry. `days` sent with new terms count from now. Renewing never shortens an order. */
function expiryAfter(
  { expiresAt }: StoredOrder,
  { asked, act, days }: { asked: Act | undefined; act: Act | undefined; days: number | undefined },
  now: Date,
): Date {
  if (days !== undefined && asked !== 'renew') return inDays(now, days)
  if (act !== 'renew') return expiresAt
  const renewed = inDays(now, days ?? renewDays)
  return renewed > expiresAt ? renewed : expiresAt
}

/**
 * Changes, pauses, resumes, ends or renews an order. Changing the terms of an ended order renews it.
 * @throws 404 if the order is another dealer's; 400 if the place is unknown; 409 if the action or a new price is not possible now; when
 * resuming or renewing, the errors of {@link placeOrder}
 */
export async function changeOrder(
  ctx: Context,
  actor: Actor,
  orderId: string,
  { act: asked, ...change }: BuyOrderPatch,
): Promise<BuyOrder> {
  await ctx.limiter.consume(orderLimit, actor.dealerId)
  const now = ctx.now()
  const act = asked ?? ((await isOrderOver(ctx.db, actor.dealerId, orderId, now)) ? 'renew' : undefined)
  if (reactivatingActs.has(act)) await requireBuying(ctx, actor)
  return ctx.transact(async (tx, emit) => {
    await lockDealerAlone(tx, actor.dealerId)
    const stored = await lockOrder(tx, actor.dealerId, orderId)
    if (stored === undefined) throw notFound('This buy order')
    const isOver = stored.status === 'ended' || stored.expiresAt <= now
    assertMay(stored, act, isOver)
    assertPriceNotJustChanged(stored, change, now)
    if (isOver) await requireRoom(tx, actor.dealerId, now)
    const terms = { ...termsOf(stored, now), ...change }
    const watched = watchedBy(terms, await requireKnownPlace(tx, terms))
    const columns = columnsOf(terms)
    const after = act === undefined ? { status: stored.status, pauseReason: stored.pauseReason } : statusAfter[act]
    await updateOrder(tx, orderId, {
      ...columns,
      ...after,
      ...(columns.priceCents !== stored.priceCents && { pricedAt: now }),
      expiresAt: expiryAfter(stored, { asked, act, days: change.days }, now),
      ...(reactivatingActs.has(act) && { answeredAt: now }),
    })
    await upsertOrderWatcher(tx, actor.dealerId, orderId, { ...watched, active: after.status === 'active' })
    const order = await readOwn(tx, actor, orderId, now)
    await touchInbox(tx, emit, [actor.dealerId], 'match', orderId)
    // A renewed order counts as new, even if moderators ended it because of its price.
    await flagLowPrice(tx, emit, actor, { order, flaggedCents: isOver ? null : stored.flaggedCents })
    return order
  })
}

/** Returns matching vehicles and recent sales in the network, for a dealer who is writing an order. @throws 429 after too many previews */
export async function previewOrder(ctx: Context, actor: Actor, search: OrderSearch): Promise<OrderPreview> {
  await countRead(ctx, actor, 'buy-orders')
  const placeId = await findPlaceId(ctx.db, search.near)
  const market = await readMarket(ctx.db, actor.dealerId, watchedBy(search, placeId), boundsAt(ctx.now()))
  const dollars = (cents: number) => Math.round(dollarsOf(cents))
  const { soldCount, soldMedian } = market
  return {
    onOffer: market.onOffer,
    newIn7Days: market.newIn7Days,
    askedQuartiles: market.quartiles?.map(dollars) ?? null,
    sold90:
      soldCount >= marketVehiclesMin && soldMedian !== null ? { count: soldCount, median: dollars(soldMedian) } : null,
    placeKnown: placeId !== null || search.near.trim() === '',
  }
}

const expireBatch = 500

/** Ends orders that have expired. Safe to run concurrently. */
export async function endOverdueOrders(ctx: Context): Promise<void> {
  let found = expireBatch
  while (found === expireBatch) {
    found = await ctx.transact(async (tx, emit) => {
      const ended = await expireOrders(tx, ctx.now(), expireBatch)
      await setOrderWatcher(
        tx,
        ended.map(({ id }) => id),
        false,
      )
      const dealers = [...new Set(ended.map(({ dealerId }) => dealerId))]
      if (dealers[0] !== undefined) await touchInbox(tx, emit, dealers, 'match', dealers[0])
      return ended.length
    })
  }
}

export const dropOrders = (tx: Tx, dealerId: string): Promise<void> => removeOrders(tx, dealerId)
