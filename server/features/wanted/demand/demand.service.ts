import Type from 'typebox'
import {
  type Demand,
  type DemandOffer,
  demandOrdersMax,
  demandQuestionsMax,
  type DemandRequest,
} from '#shared/schemas/wanted.ts'
import { Id } from '#shared/values.ts'
import { drives, traitOf, wordKey } from '#shared/vehicle-traits.ts'
import { cleanVin } from '#shared/vin/vin.ts'
import { type AppError, conflict, notFound } from '#server/errors.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { RateLimited } from '#server/platform/limits.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import {
  aboutMiles,
  countAsk,
  faultOfVin,
  cacheAnswer,
  recordVins,
  orderOf,
  type Question,
  findCachedAnswer,
  refOf,
  weekMs,
} from './demand-guards.ts'
import {
  type DescribedVehicle,
  findOwnVin,
  findTaker,
  findVehiclePlace,
  isBuyerOf,
  listOfferedByOthers,
  listActiveDealers,
  listWanting,
  removeAsks,
  type WantedBy,
} from './demand.repository.ts'
import { findPlaceId } from '../watchers.repository.ts'

const none = Type.Null()

const KeptOrder = Type.Object({
  orderId: Id,
  dealerId: Id,
  priceCents: Type.Integer(),
  perMonth: Type.Integer(),
  showName: Type.Boolean(),
  note: Type.String(),
  drives: Type.Union([Type.Array(Type.Integer()), none]),
  photosOnly: Type.Boolean(),
  rating: Type.Union([Type.Number(), none]),
  dealershipName: Type.String(),
  miles: Type.Union([Type.Number(), none]),
})

const minOf = (numbers: readonly (number | null)[]): number | null => {
  const known = numbers.filter((one) => one !== null)
  return known.length === 0 ? null : Math.min(...known)
}

const sumOf = (rows: readonly WantedBy[]) => rows.reduce((sum, { perMonth }) => sum + perMonth, 0)

function toDemand(
  ctx: Context,
  actor: Actor,
  vin: string,
  rows: readonly WantedBy[],
  about: Pick<Demand, 'withheld' | 'isEarlier'>,
): Demand {
  const dealers = new Set(rows.map(({ dealerId }) => dealerId)).size
  const counts = { dealers, perMonth: sumOf(rows), ...about }
  if (about.withheld !== null) return { ...counts, best: null, nearest: null, orders: [] }
  const nearest = minOf(rows.map(({ miles }) => miles))
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

async function describe(ctx: Context, { dealerId }: Actor, input: DemandRequest): Promise<DescribedVehicle> {
  const { zip, city = '', state = '' } = input
  const place =
    zip.trim() === ''
      ? findVehiclePlace(ctx.db, dealerId, { city: city.trim(), state: state.trim() })
      : findPlaceId(ctx.db, zip)
  return {
    makeKey: wordKey(input.make),
    modelKey: wordKey(input.model),
    trimKey: wordKey(input.trim),
    year: input.year,
    mileage: input.mileage,
    body: -1,
    drive: -1,
    fuel: -1,
    placeId: await place,
  }
}

/** @throws 400 if the VIN is invalid; 409 if another dealer has posted the vehicle; 429 after too many requests */
async function answerOf(ctx: Context, question: Question, car: DescribedVehicle, fault: AppError | undefined) {
  const { dealerId, vin } = question
  const recalled = fault === undefined ? await findCachedAnswer(ctx, question, KeptOrder) : undefined
  if (recalled === undefined || recalled.state === 'new') await countAsk(ctx, dealerId, 'next')
  if (fault !== undefined) throw fault
  if ((await listOfferedByOthers(ctx.db, dealerId, [vin])).length > 0)
    throw conflict('Another dealer has posted a vehicle with this VIN')
  if (recalled?.state === 'spent') throw new RateLimited(recalled.waitSeconds, demandQuestionsMax)
  if (recalled?.state === 'cached') return { ...recalled.answer, isEarlier: recalled.isEarlier, vins: undefined }
  const rows = await listWanting(ctx.db, dealerId, car, ctx.now())
  const { count: vins, tooMany } = await recordVins(ctx, dealerId, [vin])
  await cacheAnswer(ctx, question, { tooMany, rows })
  return { rows, tooMany, isEarlier: false, vins }
}

/**
 * Shows a seller the buy orders for a vehicle that the seller is about to post. Dealers who buy such vehicles themselves, or who ask about
 * many vehicles without posting them, see only totals. Answers are cached, but blocks and the dealer's own orders apply at once.
 * @throws 402 without a plan; 400 if the VIN is invalid; 409 if another dealer has posted the vehicle; 429 after too many requests
 */
export async function readDemand(ctx: Context, actor: Actor, input: DemandRequest): Promise<Demand> {
  const { dealerId } = actor
  await requirePosting(ctx, dealerId)
  const vin = cleanVin(input.vin)
  const car = await describe(ctx, actor, input)
  const { rows, tooMany, isEarlier, vins } = await answerOf(
    ctx,
    { dealerId, vin, about: car },
    car,
    faultOfVin(vin, input.make),
  )
  const buyers = rows.map((row) => row.dealerId)
  const there = new Set(await listActiveDealers(ctx.db, dealerId, buyers))
  const shown = rows.filter((row) => there.has(row.dealerId))
  const asked = tooMany ? 'asked' : null
  const withheld = (await isBuyerOf(ctx.db, dealerId, car, ctx.now())) ? 'order' : asked
  const demand = toDemand(ctx, actor, vin, shown, { withheld, isEarlier })
  if (vins !== undefined) ctx.log.info({ dealerId, vins, dealers: demand.dealers, withheld }, 'demand was asked for')
  return demand
}

export interface OrderTaker {
  postId: string
  vehicleId: string
  buyerId: string
  amountCents: number
  buyOrderId: string
}

/** @throws 402 without a plan; 404 if it is another dealer's vehicle or the reference is invalid; 409 if the order no longer accepts it */
export async function requireTaker(ctx: Context, actor: Actor, { ref, vehicleId }: DemandOffer): Promise<OrderTaker> {
  await requirePosting(ctx, actor.dealerId)
  const vin = await findOwnVin(ctx.db, actor.dealerId, vehicleId)
  if (vin === undefined) throw notFound('This vehicle')
  const orderId = vin === null ? undefined : orderOf(ctx, actor.dealerId, cleanVin(vin), ref)
  if (orderId === undefined) throw notFound('This buy order')
  const taker = await findTaker(ctx.db, actor.dealerId, { orderId, vehicleId }, ctx.now())
  if (taker === undefined) throw conflict('This buy order no longer accepts this vehicle')
  const { postId, buyerId, priceCents } = taker
  return { postId, vehicleId, buyerId, amountCents: priceCents, buyOrderId: orderId }
}

export const removeOldAsks = (ctx: Context): Promise<void> => removeAsks(ctx.db, new Date(ctx.now().getTime() - weekMs))
