import { formatMoney, formatVehicle, plural } from '#shared/format.ts'
import { askedAboveShare, unansweredMax } from '#shared/constants/wanted.ts'
import { matchNoticesPerDay, unansweredMs } from '#shared/schemas/wanted.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { type Notice, notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { type Db, slices, type Tx } from '#server/platform/database/db.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  countAlerts,
  queueAlerts,
  insertAlerts,
  insertMatches,
  listMatchedDealers,
  listVehicleNames,
  lockUnanswered,
  takeQueuedAlerts,
} from './matches.repository.ts'
import { listOrderNames, type OrderName, pauseOrders, updateCounted } from './orders.repository.ts'
import { findComingStart, type Found, listFound, listSearchNames, setOrderWatcher } from './watchers.repository.ts'

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000
const pauseBatch = 200

const isOfOrder = (one: Found): one is Found & { orderId: string } => one.orderId !== null
const keyOf = ({ dealerId, vehicleId }: Pick<Found, 'dealerId' | 'vehicleId'>) => `${dealerId}:${vehicleId}`

/** Notifies dealers of vehicles that match their orders or searches. Run again, for example after a price cut, it skips old matches. */
export async function matchPost(ctx: Context, postId: string, run: JobRun): Promise<void> {
  const now = ctx.now()
  const found = await listFound(ctx.db, postId, now, askedAboveShare)
  const names = await namesOf(ctx.db, found)
  const startsAt = await findComingStart(ctx.db, postId, now)
  await run.complete(async (tx, emit) => {
    if (startsAt !== undefined) await emit.job('find.begun', { postId }, { runAt: startsAt, uniqueKey: postId })
    for (const part of slices(found.filter(isOfOrder))) await insertMatches(tx, part)
    const added: { dealerId: string; vehicleId: string }[] = []
    for (const part of slices([...new Map(found.map((one) => [keyOf(one), one])).values()]))
      added.push(...(await insertAlerts(tx, part)))
    const matched = await listMatchedDealers(tx, postId)
    const dealers = [...new Set([...matched, ...added.map(({ dealerId }) => dealerId)])]
    if (dealers.length === 0) return
    // Lock all inboxes first, in one fixed order, because later steps lock some of them again.
    await touchInbox(tx, emit, dealers, 'match', postId)
    const news = new Set(added.map(keyOf))
    // Skip vehicles with an offer between these dealers, because the offer has already notified the buyer.
    const unknown = found.filter(({ isOffered }) => !isOffered)
    const notified = await notifyOrQueue(tx, emit, onePerVehicle(unknown, news), now)
    await notify(tx, emit, ...notified.flatMap((one) => noticeOf(one, names)))
  })
}

/** Picks one notification per dealer and vehicle. Buy orders take precedence over saved searches. */
function onePerVehicle(found: readonly Found[], news: ReadonlySet<string>): Found[] {
  const first = new Map<string, Found>()
  for (const one of found) {
    const known = first.get(keyOf(one))
    if (news.has(keyOf(one)) && (known === undefined || (known.orderId === null && one.orderId !== null)))
      first.set(keyOf(one), one)
  }
  return [...first.values()]
}

/** Returns the notifications to send now. Queues notifications above the daily maximum for an hourly digest. */
async function notifyOrQueue(tx: Tx, emit: Emit, news: readonly Found[], now: Date): Promise<Found[]> {
  const since = new Date(now.getTime() - dayMs)
  const counts = await countAlerts(tx, [...new Set(news.map(({ dealerId }) => dealerId))], since)
  const left = new Map<string, number>()
  for (const { dealerId } of news) left.set(dealerId, (left.get(dealerId) ?? 0) + 1)
  for (const [dealerId, fresh] of left) left.set(dealerId, matchNoticesPerDay - ((counts.get(dealerId) ?? 0) - fresh))
  const [notified, queued]: [Found[], Found[]] = [[], []]
  for (const one of news) {
    const room = left.get(one.dealerId) ?? 0
    ;(room > 0 ? notified : queued).push(one)
    left.set(one.dealerId, room - 1)
  }
  if (queued.length > 0) {
    for (const part of slices(queued)) await queueAlerts(tx, part)
    const runAt = new Date(now.getTime() + hourMs)
    const dealers = [...new Set(queued.map(({ dealerId }) => dealerId))].toSorted()
    await emit.jobs(
      'find.digest',
      dealers.map((dealerId) => ({ payload: { dealerId }, runAt, uniqueKey: dealerId })),
    )
  }
  return notified
}

async function namesOf(db: Db, found: readonly Found[]) {
  const ids = (of: (one: Found) => string | null) => [...new Set(found.flatMap((one) => of(one) ?? []))]
  const [vehicles, searches] = await Promise.all([
    listVehicleNames(
      db,
      ids(({ vehicleId }) => vehicleId),
    ),
    listSearchNames(
      db,
      ids(({ searchId }) => searchId),
    ),
  ])
  return { vehicles, searches }
}

function noticeOf(one: Found, { vehicles, searches }: Awaited<ReturnType<typeof namesOf>>): Notice[] {
  const vehicle = vehicles.get(one.vehicleId)
  // The vehicle has been removed since the match was found.
  if (vehicle === undefined) return []
  const name = formatVehicle(vehicle) || vehicle.postTitle
  const { priceCents, previousPriceCents, postId, sellerId } = vehicle
  const isCheaper = priceCents !== null && previousPriceCents !== null && priceCents < previousPriceCents
  const asks = priceCents === null ? 'no asking price' : `asking ${formatMoney(dollarsOf(priceCents))}`
  const notice = {
    dealerId: one.dealerId,
    actorId: sellerId,
    kind: 'match',
    body: vehicle.dealershipName,
    key: `match:${one.vehicleId}`,
  } as const
  if (one.orderId !== null)
    return [{ ...notice, title: `${name} fits your buy order: ${asks}`, path: `/wanted?vehicle=${one.vehicleId}` }]
  const search = searches.get(one.searchId ?? '') ?? 'your search'
  const title = isCheaper ? `Price drop: ${name}, ${asks}, for "${search}"` : `New for "${search}": ${name}, ${asks}`
  return [{ ...notice, title, path: `/post/${postId}?vehicle=${one.vehicleId}` }]
}

/** Pauses orders with too many unanswered matches. If an order accepts no vehicles now, restarts its count. Safe to run concurrently. */
export async function pauseUnanswered(ctx: Context): Promise<void> {
  let found = pauseBatch
  while (found === pauseBatch) {
    found = await ctx.transact(async (tx, emit) => {
      const bounds = { max: unansweredMax, ageMs: unansweredMs, now: ctx.now(), limit: pauseBatch }
      const locked = await lockUnanswered(tx, bounds)
      const unanswered = locked.flatMap(({ id, lives }) => (lives ? id : []))
      await updateCounted(
        tx,
        locked.flatMap(({ id, lives }) => (lives ? [] : id)),
        bounds.now,
      )
      await pauseOrders(tx, unanswered)
      await setOrderWatcher(tx, unanswered, false)
      const orders = await listOrderNames(tx, unanswered)
      const dealers = [...new Set(orders.map(({ dealerId }) => dealerId))]
      if (dealers[0] !== undefined) await touchInbox(tx, emit, dealers, 'match', dealers[0])
      await notify(tx, emit, ...orders.map(pausedNotice))
      return locked.length
    })
  }
}

const pausedNotice = ({ id, dealerId, version, make, model }: OrderName): Notice => ({
  dealerId,
  kind: 'match',
  title: `Still buying? Your buy order for ${make} ${model} is paused`,
  body: `${unansweredMax} matches in a row went unanswered for a day. Resume it under Wanted.`,
  path: '/wanted',
  key: `order-paused:${id}:${version}`,
})

export async function notifyQueued(tx: Tx, emit: Emit, dealerId: string, jobId: string): Promise<void> {
  const { count, matched } = await takeQueuedAlerts(tx, dealerId)
  if (count === 0) return
  await notify(tx, emit, {
    dealerId,
    kind: 'match',
    title: `${plural(count, 'more vehicle')} for your buy orders and saved searches`,
    body: `After ${matchNoticesPerDay} notifications in a day, we send a summary once an hour.`,
    path: matched > 0 ? '/wanted' : '/watchlist',
    key: `match-digest:${jobId}`,
  })
}
