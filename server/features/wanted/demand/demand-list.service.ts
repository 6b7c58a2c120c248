import Type, { type Static } from 'typebox'
import { formatVehicle } from '#shared/format.ts'
import { demandDealersMin } from '#shared/constants/wanted.ts'
import type { DemandGroup, DemandList, DemandListQuery, WantedVehicle } from '#shared/schemas/wanted.ts'
import { Id } from '#shared/values.ts'
import { drives, traitOf, wordKey } from '#shared/vehicle-traits.ts'
import { cleanVin } from '#shared/vin/vin.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead } from '#server/platform/http/guards.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import { RateLimited } from '#server/platform/limits.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import {
  aboutMiles,
  countAsk,
  faultOfVin,
  cacheAnswer,
  recordVins,
  type Question,
  findCachedAnswer,
  refOf,
} from './demand-guards.ts'
import {
  countGroups,
  findOwnPlace,
  type GroupRow,
  listGroups,
  listOfferedByOthers,
  listAskedSince,
  listOwnWanted,
  type OwnWanted,
} from './demand.repository.ts'
import { findPlaceId } from '../watchers.repository.ts'

const pageSize = 25
const dayMs = 24 * 3_600_000

const GroupCursor = Type.Object({
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  model: Type.String({ maxLength: 200 }),
  from: Type.Integer(),
})

/** Lists the models that at least three dealers want, with the reader's matching vehicles. @throws 402 without a plan; 429 */
export async function listDemand(ctx: Context, actor: Actor, query: DemandListQuery): Promise<DemandList> {
  await requirePosting(ctx, actor.dealerId)
  await countRead(ctx, actor, 'demand')
  const now = ctx.now()
  const near = query.near?.trim() ?? ''
  const placeId = await (near === '' ? findOwnPlace(ctx.db, actor.dealerId) : findPlaceId(ctx.db, near))
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
  const own = await answerOwn(ctx, actor, await listOwnWanted(ctx.db, actor.dealerId, orderIds, now))
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

type Withheld = DemandGroup['withheld']

const Taker = Type.Object({ orderId: Id, dealerId: Id, priceCents: Type.Integer() })
type Taker = Static<typeof Taker>

interface Own {
  vehicle: OwnWanted
  vin: string
  takers: readonly OwnWanted[]
}

/** @property answer matching orders, best price first; taken from an earlier answer if the dealer asked too often */
interface AnsweredOwn extends Own {
  answer: readonly Taker[]
  withheld: Withheld
}

function byVehicle(rows: readonly OwnWanted[]): Own[] {
  const all = new Map<string, OwnWanted[]>()
  for (const row of rows) all.set(row.vehicleId, [...(all.get(row.vehicleId) ?? []), row])
  return [...all.values()].flatMap((takers) => {
    const [vehicle] = takers
    return vehicle === undefined ? [] : { vehicle, vin: cleanVin(vehicle.vin), takers }
  })
}

/** A vehicle with a changed mileage counts as a new question. A changed price does not matter. */
const questionOf = ({ dealerId }: Actor, { vin, vehicle: { about } }: Own): Question => ({ dealerId, vin, about })

/**
 * Returns the vehicles whose demand the dealer may see. A VIN counts toward the rate limit unless the dealer asked about it in the past 24
 * hours.
 */
async function withinVinLimit(ctx: Context, { dealerId }: Actor, own: readonly Own[]): Promise<Set<Own>> {
  const vins = own.map(({ vin }) => vin)
  const counted = new Set(await listAskedSince(ctx.db, dealerId, vins, new Date(ctx.now().getTime() - dayMs)))
  const allowed = new Set(own.filter(({ vin }) => counted.has(vin)))
  for (const one of own)
    if (!allowed.has(one))
      try {
        await countAsk(ctx, dealerId, 'own')
        allowed.add(one)
      } catch (error) {
        if (error instanceof RateLimited) return allowed
        throw error
      }
  return allowed
}

/** Computes answers. Requests are counted and logged like requests for a vehicle that is about to be posted. */
async function computeAnswers(ctx: Context, actor: Actor, own: readonly Own[]): Promise<AnsweredOwn[]> {
  if (own.length === 0) return []
  const { dealerId } = actor
  const allowed = await withinVinLimit(ctx, actor, own)
  const asked = own.filter((one) => allowed.has(one))
  const { count, tooMany } = await recordVins(
    ctx,
    dealerId,
    asked.map(({ vin }) => vin),
  )
  const takersOf = ({ takers }: Own): Taker[] =>
    takers.map((taker) => ({ orderId: taker.orderId, dealerId: taker.dealerId, priceCents: taker.priceCents }))
  await Promise.all(asked.map((one) => cacheAnswer(ctx, questionOf(actor, one), { tooMany, rows: takersOf(one) })))
  const withheld = tooMany ? 'asked' : null
  ctx.log.info({ dealerId, vins: count, vehicles: asked.length, withheld }, 'demand was asked for')
  return own.map((one) => ({ ...one, answer: takersOf(one), withheld: allowed.has(one) ? withheld : 'limit' }))
}

/** Returns the demand for the reader's vehicles, with the same guards per VIN as for a vehicle that is about to be posted. */
async function answerOwn(ctx: Context, actor: Actor, rows: readonly OwnWanted[]): Promise<AnsweredOwn[]> {
  const own = byVehicle(rows)
  const vins = own.map(({ vin }) => vin)
  const elsewhere = new Set(await listOfferedByOthers(ctx.db, actor.dealerId, vins))
  const isAnswerable = ({ vin, vehicle }: Own) =>
    faultOfVin(vin, vehicle.make ?? '') === undefined && !elsewhere.has(vin)
  const uncached: Own[] = []
  const before = await Promise.all(
    own.map(async (one): Promise<AnsweredOwn[]> => {
      if (!isAnswerable(one)) return [{ ...one, answer: [], withheld: 'vin' }]
      const recalled = await findCachedAnswer(ctx, questionOf(actor, one), Taker)
      if (recalled.state === 'cached')
        return [{ ...one, answer: recalled.answer.rows, withheld: recalled.answer.tooMany ? 'asked' : null }]
      if (recalled.state === 'spent') return [{ ...one, answer: [], withheld: 'limit' }]
      uncached.push(one)
      return []
    }),
  )
  return [...before.flat(), ...(await computeAnswers(ctx, actor, uncached))]
}

const toGroup = (row: GroupRow, own: Pick<DemandGroup, 'yours' | 'withheld'>): DemandGroup => ({
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
  ...own,
})

function ownOf(ctx: Context, actor: Actor, { orderIds }: GroupRow, own: readonly AnsweredOwn[]) {
  const ofGroup = new Set(orderIds)
  const inGroup = own.filter(({ takers }) => takers.some(({ orderId }) => ofGroup.has(orderId)))
  const withheld = inGroup.find((one) => one.withheld !== null)?.withheld ?? null
  const yours = inGroup.flatMap(({ vehicle, vin, takers, answer, ...one }): WantedVehicle[] => {
    const shown = answer.filter(({ orderId }) => ofGroup.has(orderId))
    const [best] = shown
    if (best === undefined || one.withheld !== null) return []
    return [
      {
        vehicleId: vehicle.vehicleId,
        postId: vehicle.postId,
        title: formatVehicle(vehicle),
        year: vehicle.year,
        mileage: vehicle.mileage,
        price: vehicle.askedCents === null ? null : dollarsOf(vehicle.askedCents),
        dealers: new Set(shown.map(({ dealerId }) => dealerId)).size,
        best: dollarsOf(best.priceCents),
        ref: refOf(ctx, actor.dealerId, vin, best.orderId),
        offered: takers.some(({ offered }) => offered),
      },
    ]
  })
  return { yours, withheld }
}
