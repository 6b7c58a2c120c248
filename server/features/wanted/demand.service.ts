import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import Type from 'typebox'
import Value from 'typebox/value'
import { formatVehicle } from '#shared/format.ts'
import {
  type Demand,
  demandDealersMin,
  type DemandGroup,
  type DemandList,
  type DemandListQuery,
  demandMilesStep,
  type DemandOffer,
  demandOrdersMax,
  type DemandRequest,
  demandVinsMax,
  type WantedVehicle,
} from '#shared/schemas/wanted.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import { Id } from '#shared/values.ts'
import { drives, traitOf, wordKey } from '#shared/vehicle-traits.ts'
import { checkDigitHolds, cleanVin, decodeComposerVin } from '#shared/vin.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { requirePosting } from '#server/features/billing/billing.policy.ts'
import { offerToBuyer } from '#server/features/deals/offers.service.ts'
import type { Context } from '#server/platform/context.ts'
import { countRead } from '#server/platform/guards.ts'
import { decodeCursor, encodeCursor } from '#server/platform/keyset.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { decrypt, encrypt } from '#server/platform/sealed.ts'
import type { Actor } from '#server/platform/session.ts'
import {
  countGroups,
  findOwnPlace,
  findOwnVin,
  findTaker,
  type GroupRow,
  isBuyerOf,
  isOfferedByOther,
  listGroups,
  listOwnWanted,
  listWanting,
  noteAsk,
  type OwnWanted,
  removeAsks,
  type WantedBy,
} from './demand.repository.ts'
import { findPlaceId } from './watchers.repository.ts'

const weekMs = 7 * 24 * 3_600_000
const refMs = 30 * 60_000
const answerMs = 10 * 60_000
const answersMax = 10_000
const pageSize = 25
const askLimits = [
  { name: 'demand-hour', max: 60, seconds: 3_600 },
  { name: 'demand-day', max: 200, seconds: 86_400 },
]

/** Of each server, what was answered of a vehicle, for a while: who asks again learns nothing of what changed meanwhile. */
const answered = new WeakMap<Context, LRUCache<string, Demand>>()

function answersOf(ctx: Context): LRUCache<string, Demand> {
  const known = answered.get(ctx) ?? new LRUCache<string, Demand>({ max: answersMax, ttl: answerMs })
  answered.set(ctx, known)
  return known
}

const RefContent = Type.Object({ orderId: Id, until: Type.Number() })
const purpose = 'demand'

/** Opens for this reader, with this VIN, for half an hour; it is another one each time, so that two tell nothing of each other. */
function refOf(ctx: Context, readerId: string, vin: string, orderId: string): string {
  const content = Buffer.from(JSON.stringify({ orderId, until: ctx.now().getTime() + refMs }))
  return encrypt(ctx.config.secret, purpose, `${readerId}:${vin}`, content).toString('base64url')
}

function orderOf(ctx: Context, readerId: string, vin: string, ref: string): string | undefined {
  const sealed = Buffer.from(ref, 'base64url')
  if (sealed.length < 40) return undefined
  const content = decrypt(ctx.config.secret, purpose, `${readerId}:${vin}`, sealed)
  if (content === undefined) return undefined
  const value: unknown = JSON.parse(content.toString('utf8'))
  return Value.Check(RefContent, value) && value.until > ctx.now().getTime() ? value.orderId : undefined
}

/** In steps of ten: nearer than one is told as one. */
const aboutMiles = (miles: number): number => Math.max(1, Math.round(miles / demandMilesStep)) * demandMilesStep

const leastOf = (numbers: readonly (number | null)[]): number | null => {
  const known = numbers.filter((one) => one !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** A VIN that is none, is of another make, or is somebody else's vehicle tells nothing. @throws 400, 409 */
async function requireOwnVin(ctx: Context, actor: Actor, { vin, make }: DemandRequest): Promise<string> {
  const clean = cleanVin(vin)
  if (!checkDigitHolds(clean)) throw badRequest('The check digit of this VIN does not hold', { fields: ['vin'] })
  const decoded = decodeComposerVin(clean)?.make
  if (decoded !== undefined && wordKey(decoded) !== wordKey(make))
    throw badRequest(`This VIN is that of a ${decoded}`, { fields: ['make'] })
  if (await isOfferedByOther(ctx.db, actor.dealerId, clean))
    throw conflict('Another dealer offers a vehicle with this VIN')
  return clean
}

const sumOf = (rows: readonly WantedBy[]) => rows.reduce((sum, { perMonth }) => sum + perMonth, 0)

function toDemand(
  ctx: Context,
  actor: Actor,
  vin: string,
  rows: readonly WantedBy[],
  withheld: Demand['withheld'],
): Demand {
  const dealers = new Set(rows.map(({ dealerId }) => dealerId)).size
  const counts = { dealers, perMonth: sumOf(rows), withheld }
  if (withheld !== null) return { ...counts, best: null, nearest: null, orders: [] }
  const nearest = leastOf(rows.map(({ miles }) => miles))
  return {
    ...counts,
    best: rows[0] === undefined ? null : dollarsOf(rows[0].priceCents),
    nearest: nearest === null ? null : aboutMiles(nearest),
    orders: rows.slice(0, demandOrdersMax).map((row) => ({
      ref: refOf(ctx, actor.dealerId, vin, row.orderId),
      price: dollarsOf(row.priceCents),
      miles: row.miles === null ? null : aboutMiles(row.miles),
      perMonth: row.perMonth,
      rating: row.rating,
      drive: traitOf(drives, row.drives?.[0] ?? 0),
      photosOnly: row.photosOnly,
      note: row.note,
      name: row.showName ? row.dealershipName : null,
    })),
  }
}

/**
 * Who wants a vehicle that one is about to post. Who buys such vehicles, and who asks for many without posting one, learns how many only.
 * @throws 402 without a plan, 400 for a VIN that is none, 409 where somebody else offers it, 429
 */
export async function readDemand(ctx: Context, actor: Actor, input: DemandRequest): Promise<Demand> {
  await requirePosting(ctx, actor.dealerId)
  const asked = createHash('sha256').update(JSON.stringify(input)).digest('base64url')
  const key = `${actor.dealerId}:${asked}`
  const answers = answersOf(ctx)
  const known = answers.get(key)
  if (known !== undefined) return known
  for (const limit of askLimits) await ctx.limiter.consume(limit, actor.dealerId)
  const vin = await requireOwnVin(ctx, actor, input)
  const now = ctx.now()
  const vins = await ctx.transact((tx) => noteAsk(tx, actor.dealerId, vin, new Date(now.getTime() - weekMs)))
  const car = {
    makeKey: wordKey(input.make),
    modelKey: wordKey(input.model),
    trimKey: wordKey(input.trim),
    year: input.year,
    mileage: input.mileage,
    body: -1,
    drive: -1,
    fuel: -1,
    placeId: await (input.zip.trim() === '' ? findOwnPlace(ctx.db, actor.dealerId) : findPlaceId(ctx.db, input.zip)),
  }
  const [rows, isRival] = await Promise.all([
    listWanting(ctx.db, actor.dealerId, car, now),
    isBuyerOf(ctx.db, actor.dealerId, car, now),
  ])
  const tooMany = vins > demandVinsMax ? 'asked' : null
  const demand = toDemand(ctx, actor, vin, rows, isRival ? 'order' : tooMany)
  ctx.log.info(
    { dealerId: actor.dealerId, vins, dealers: demand.dealers, withheld: demand.withheld },
    'demand was asked for',
  )
  // That nobody wants it tells of no order: it must not hide one that comes in the next moment.
  if (demand.dealers > 0) answers.set(key, demand)
  return demand
}

/**
 * Offers a vehicle of one's own to the order behind the reference, at its price: its dealer has 24 hours to accept.
 * @throws 404 for a vehicle that is not one's own or a reference that is not this vehicle's, 409 where the order takes it no more, 402, 429
 */
export async function offerToOrder(ctx: Context, actor: Actor, { ref, vehicleId }: DemandOffer): Promise<Offer> {
  await requirePosting(ctx, actor.dealerId)
  const vin = await findOwnVin(ctx.db, actor.dealerId, vehicleId)
  if (vin === undefined) throw notFound('This vehicle')
  const orderId = vin === null ? undefined : orderOf(ctx, actor.dealerId, cleanVin(vin), ref)
  if (orderId === undefined) throw notFound('This buy order')
  const taker = await findTaker(ctx.db, actor.dealerId, { orderId, vehicleId }, ctx.now())
  if (taker === undefined) throw conflict('The buy order does not take this vehicle any more')
  return offerToBuyer(ctx, actor, {
    postId: taker.postId,
    vehicleId,
    buyerId: taker.buyerId,
    amountCents: taker.priceCents,
    buyOrderId: orderId,
  })
}

const GroupCursor = Type.Object({
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  model: Type.String({ maxLength: 200 }),
  from: Type.Integer(),
})

/** Models that at least three dealers want, with what the reader has of them. @throws 402 without a plan, 429 */
export async function listDemand(ctx: Context, actor: Actor, query: DemandListQuery): Promise<DemandList> {
  await requirePosting(ctx, actor.dealerId)
  await countRead(ctx, actor, 'demand')
  const now = ctx.now()
  const placeId = await findOwnPlace(ctx.db, actor.dealerId)
  const makeKey = wordKey(query.make ?? '')
  const asked = {
    words: (query.q ?? '')
      .split(/\s+/)
      .map(wordKey)
      .filter((word) => word !== ''),
    makeKey: makeKey === '' ? undefined : makeKey,
    placeId,
    within: placeId === null ? null : (query.within ?? null),
    have: query.have === '1',
    dealersMin: demandDealersMin,
    now,
  }
  const after = query.cursor === undefined ? undefined : decodeCursor(GroupCursor, query.cursor)
  const [rows, totals] = await Promise.all([
    listGroups(ctx.db, actor.dealerId, asked, { limit: pageSize + 1, after }),
    countGroups(ctx.db, actor.dealerId, asked),
  ])
  const shown = rows.slice(0, pageSize)
  const orderIds = shown.filter(({ isRival }) => !isRival).flatMap((row) => row.orderIds)
  const own = await listOwnWanted(ctx.db, actor.dealerId, orderIds, now)
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  return {
    items: shown.map((row) => toGroup(row, ownOf(ctx, actor, row, own))),
    dealers: totals.dealers,
    perMonth: totals.perMonth,
    makes: totals.makes,
    placeKnown: placeId !== null,
    next:
      last === undefined
        ? null
        : encodeCursor({ dealers: last.dealers, perMonth: last.perMonth, model: last.model, from: last.from }),
  }
}

const toGroup = (row: GroupRow, yours: WantedVehicle[]): DemandGroup => ({
  make: row.makeLabel,
  model: row.modelLabel,
  trims: row.trimLabels ?? [],
  yearFrom: row.yearFrom,
  yearTo: row.yearTo,
  milesFrom: row.milesFrom,
  milesTo: row.milesTo,
  mostlyDrive: traitOf(drives, row.mostlyDrive ?? 0),
  dealers: row.dealers,
  perMonth: row.perMonth,
  nearest: row.nearest === null ? null : aboutMiles(row.nearest),
  isRival: row.isRival,
  yours,
})

function ownOf(
  ctx: Context,
  actor: Actor,
  { orderIds, isRival }: GroupRow,
  own: readonly OwnWanted[],
): WantedVehicle[] {
  if (isRival) return []
  const ofGroup = new Set(orderIds)
  const byVehicle = new Map<string, OwnWanted[]>()
  for (const one of own)
    if (ofGroup.has(one.orderId) && checkDigitHolds(one.vin))
      byVehicle.set(one.vehicleId, [...(byVehicle.get(one.vehicleId) ?? []), one])
  return [...byVehicle.values()].flatMap((rows) => {
    const [best] = rows
    if (best === undefined) return []
    return {
      vehicleId: best.vehicleId,
      postId: best.postId,
      title: formatVehicle(best),
      year: best.year,
      mileage: best.mileage,
      price: best.askedCents === null ? null : dollarsOf(best.askedCents),
      dealers: new Set(rows.map(({ dealerId }) => dealerId)).size,
      best: dollarsOf(best.priceCents),
      ref: refOf(ctx, actor.dealerId, cleanVin(best.vin), best.orderId),
      offered: rows.some(({ offered }) => offered),
    }
  })
}

/** What was asked for long ago counts no more. */
export const forgetOldAsks = (ctx: Context): Promise<void> => removeAsks(ctx.db, new Date(ctx.now().getTime() - weekMs))
