import { createHash } from 'node:crypto'
import { formatVehicle } from '#shared/format.ts'
import type { SheetChange, SheetChanges } from '#shared/schemas/posting.ts'
import type { EditedVehicle, NewVehicle, Post } from '#shared/schemas/posts.ts'
import { endPresetsOn, followPost } from '#server/features/auctions/auction-of-post.service.ts'
import { endOffersFor } from '#server/features/deals/offers/offer-notices.service.ts'
import { announceOffered } from '#server/features/find/refresh-find.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { countAvailable, type AuctionWithVehicle } from '#server/features/sale/sale.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { isLotUnchanged, materiallyChanged, removedVehicleIds } from './edits-under-auction.policy.ts'
import { replaceVehicles } from './post-edits.repository.ts'
import { emitEdit } from './posts-changes.service.ts'
import { findPost, listDealtVehicles, listOtherVehicles, refreshSearch, vehicleColumns } from './posts.repository.ts'
import { type Columns, matchRows } from './sheet-matches.ts'

/**
 * Ends the preset maximums on the first vehicle, and the offers on all vehicles, that an import affects. Skips ids in `stay`. Matches the
 * first import with saved searches, because the post had no vehicles before.
 */
async function notifyAffected(tx: Tx, emit: Emit, post: Post, vehicles: EditedVehicle[], stay: readonly string[]) {
  if (post.vehicles.length === 0) await emit.job('saved.match', { postId: post.id })
  const before = post.vehicles.filter(({ id }) => !stay.includes(id))
  const keepsFirst = isLotUnchanged({ vehicles: vehicles.slice(0, 1) }, { ...post, vehicles: before.slice(0, 1) })
  if (!keepsFirst) await endPresetsOn(tx, emit, post.id)
  await endOffersFor(tx, emit, materiallyChanged({ vehicles }, { vehicles: before }))
  await endOffersFor(tx, emit, removedVehicleIds({ vehicles }, { vehicles: before }), 'removed')
}

/** True if the auction is open, or stopped but may restart. The auctioned vehicle must then stay first. */
const needsLot = (auction: AuctionWithVehicle): boolean =>
  auction !== undefined && (auction.status === 'open' || (auction.isStopped && auction.endReason === null))

/**
 * Replaces the post's vehicles. Known vehicles keep their id, because offers and matches refer to it. Vehicles in a deal stay and come
 * last. The auctioned vehicle stays first. If the sheet no longer lists it, the auction ends and the seller is notified.
 * The caller must lock the auction before the post.
 * @param mayEnd false if the seller must confirm that an open auction ends
 * @throws 409 with `EndsAuction` if an open auction would end and `mayEnd` is false
 * @returns the number of listed vehicles that are not in a deal
 */
export async function takeOverVehicles(
  tx: Tx,
  emit: Emit,
  postId: string,
  { vehicles, auction, mayEnd }: { vehicles: readonly NewVehicle[]; auction: AuctionWithVehicle; mayEnd: boolean },
): Promise<number> {
  const post = await findPost(tx, postId)
  const lot = needsLot(auction) ? post?.vehicles[0]?.id : undefined
  const dealt = await listDealtVehicles(tx, postId)
  const stay = dealt.map(({ id }) => id)
  const rows = vehicles.map((vehicle) => ({ vehicle, columns: vehicleColumns(vehicle) }))
  const matches = matchRows(
    rows.map(({ columns: row }) => row),
    dealt,
    await listOtherVehicles(tx, postId, stay),
  )
  const listed = rows.flatMap(({ vehicle, columns: row }): EditedVehicle[] => {
    const id = matches.get(row)
    if (id === undefined) return [vehicle]
    // Omit the status, so that vehicles marked as sold or pending keep it.
    return stay.includes(id) ? [] : [{ ...vehicle, id }]
  })
  const isLot = ({ id }: EditedVehicle) => lot !== undefined && id === lot
  const edited = [...listed.filter(isLot), ...listed.filter((vehicle) => !isLot(vehicle))]
  if (post !== undefined) await notifyAffected(tx, emit, post, edited, stay)
  await replaceVehicles(tx, postId, edited, stay)
  await refreshSearch(tx, [postId])
  await emit.job('post.summarize', { postId }, { uniqueKey: postId })
  await announceOffered(emit, postId)
  const lotReplaced = lot !== undefined && edited[0]?.id !== lot
  await followPost(tx, emit, auction, { postId, wasActive: true, canRun: true, lotReplaced, mayEnd })
  if (lotReplaced && auction?.status === 'open' && post !== undefined)
    await notify(tx, emit, {
      dealerId: post.dealer.id,
      kind: 'deal',
      title: 'The auction ended: the spreadsheet no longer lists its vehicle',
      body: post.title,
      path: `/post/${postId}`,
      key: `lot-removed:${postId}:${lot}`,
    })
  await emitEdit(tx, emit, postId, {
    vehicleCount: stay.length + edited.length,
    availableCount: await countAvailable(tx, postId),
  })
  return edited.length
}

export interface SheetComparison {
  changes: SheetChanges
  /** Hash of all changes, including those left out of the list. */
  changesKey: string
  /** True if the post has no vehicles yet, not even sold vehicles. */
  isFirst: boolean
  /** Vehicles for sale before the import, and how many of them had a price and a VIN. */
  before: SheetCounts
  /** The same counts after the import. */
  after: SheetCounts
}

interface SheetCounts {
  vehicles: number
  prices: number
  vins: number
}

const changesMax = 200

/** Compares the post's vehicles with a sheet. Vehicles in a deal always stay in the post. */
export async function compareVehicles(
  tx: Tx,
  postId: string,
  vehicles: readonly NewVehicle[],
): Promise<SheetComparison> {
  const dealt = await listDealtVehicles(tx, postId)
  const stay = new Set(dealt.map(({ id }) => id))
  const others = await listOtherVehicles(tx, postId, [...stay])
  const rows = vehicles.map(vehicleColumns)
  const matches = matchRows(rows, dealt, others)
  const rowOf = new Map(rows.map((row) => [matches.get(row), row] as const))
  const removed = others.filter(({ id }) => !rowOf.has(id))
  const kept = others.flatMap((vehicle) => {
    const row = rowOf.get(vehicle.id)
    const change = row && changeOf(vehicle, row)
    if (row === undefined || change === undefined) return []
    const losesPrice = vehicle.priceCents !== null && row.priceCents === null
    const losesVin = vehicle.vin !== null && row.vin === null
    return [{ change, losesPrice, losesVin, isLoss: losesPrice || losesVin }]
  })
  const added = rows.filter((row) => !matches.has(row))
  const list = [
    ...removed.map((vehicle) => named('removed', vehicle)),
    ...kept.filter(({ isLoss }) => isLoss).map(({ change }) => change),
    ...kept.filter(({ isLoss }) => !isLoss).map(({ change }) => change),
    ...added.map((row) => named('added', row)),
  ]
  const notForSale = new Set(others.filter(({ status }) => status !== 'available').map(({ id }) => id))
  const isForSale = (id: string | undefined) => id === undefined || (!stay.has(id) && !notForSale.has(id))
  return {
    changes: {
      added: added.length,
      removed: removed.length,
      changed: kept.length,
      pricesLost: kept.filter(({ losesPrice }) => losesPrice).length,
      vinsLost: kept.filter(({ losesVin }) => losesVin).length,
      list: list.slice(0, changesMax),
    },
    changesKey: createHash('sha256').update(JSON.stringify(list)).digest('hex'),
    isFirst: dealt.length + others.length === 0,
    before: countsOf(others.filter(({ id }) => isForSale(id))),
    after: countsOf(rows.filter((row) => isForSale(matches.get(row)))),
  }
}

const countsOf = (vehicles: readonly Columns[]): SheetCounts => ({
  vehicles: vehicles.length,
  prices: vehicles.filter(({ priceCents }) => priceCents !== null).length,
  vins: vehicles.filter(({ vin }) => vin !== null).length,
})

const named = (kind: SheetChange['kind'], { vin, ...vehicle }: Columns): SheetChange => ({
  kind,
  vehicle: formatVehicle(vehicle),
  vin,
})

/** Returns undefined if price, mileage and VIN are the same. */
function changeOf(before: Columns, row: Columns): SheetChange | undefined {
  const dollars = (cents: number | null) => (cents === null ? null : dollarsOf(cents))
  const price =
    before.priceCents === row.priceCents
      ? undefined
      : { before: dollars(before.priceCents), after: dollars(row.priceCents) }
  const mileage = before.mileage === row.mileage ? undefined : { before: before.mileage, after: row.mileage }
  const isSameVin = before.vin === row.vin
  if (price === undefined && mileage === undefined && isSameVin) return undefined
  return {
    ...named('changed', row),
    ...(!isSameVin && { vinBefore: before.vin }),
    ...(price && { price }),
    ...(mileage && { mileage }),
  }
}
