import { sql } from 'kysely'
import { watchesMax } from '#shared/limits.ts'
import type { PostState } from '#shared/events/posts.ts'
import type { EditedVehicle, NewVehicle, Post, VehicleStatus } from '#shared/schemas/posts.ts'
import { notFound } from '#server/errors.ts'
import { refreshFind, tellMatched, tellOffered } from '#server/features/find/refresh-find.service.ts'
import { endOffersFor, endOffersOnPosts } from '#server/features/deals/offers/offer-notices.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { listFeed } from './feed/feed.repository.ts'
import { keepsLot, otherThanOffered, takenOut } from './edits-under-auction.policy.ts'
import {
  blankAllOf,
  listSellerWords,
  removeAllOf,
  removeUnusedWords,
  replaceVehicles,
} from './post-edits.repository.ts'
import {
  findCommentCount,
  findPost,
  listDealtVehicles,
  listOtherVehicles,
  refreshSearch,
  removeDirectedPosts,
  removePhoto,
  updateBidCounts,
  updateHidden,
  vehicleColumns,
} from './posts.repository.ts'
import {
  countAvailable,
  lockPost,
  updatePost,
  type HeldAuction,
  settleAuction,
  findHeld,
} from '#server/features/sale/sale.service.ts'
import { removeOldViews } from './reactions/reactions.repository.ts'
import type { Context } from '#server/platform/context.ts'
import {
  endPresetsOn,
  followPost,
  stopAuction,
  stopAuctionsOf,
} from '#server/features/auctions/auction-of-post.service.ts'

const columns = { likeCount: 'like_count', infoCount: 'info_count', commentCount: 'comment_count' } as const

/** Locks the post until the transaction ends. @throws 404 if it is deleted or hidden */
export async function holdPost(tx: Tx, postId: string) {
  const post = await findHeld(tx, postId)
  if (post === undefined) throw notFound('This post')
  return post
}

/** Locks these posts until the transaction ends. Returns those that exist. */
export async function holdPosts(tx: Tx, postIds: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  // Sorted to prevent deadlocks.
  for (const postId of [...new Set(postIds)].toSorted())
    if ((await lockPost(tx, postId)) !== undefined) there.add(postId)
  return there
}

/** @throws 404 unless readers can see it */
export async function requirePost(db: Db, postId: string): Promise<void> {
  if ((await findPost(db, postId)) === undefined) throw notFound('This post')
}

/** The number of comments this dealer can see. @throws 404 */
export async function readCommentCount(db: Db, postId: string, readerId: string): Promise<number> {
  const count = await findCommentCount(db, postId, readerId)
  if (count === undefined) throw notFound('This post')
  return count
}

export async function removePostsOf(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await stopAuctionsOf(tx, emit, dealerId)
  const postIds = await removeAllOf(tx, dealerId)
  for (const postId of postIds) emit('post.removed', { postId, dealerId })
  await emit.jobs(
    'find.match',
    postIds.map((postId) => ({ payload: { postId }, uniqueKey: postId })),
  )
  const sellerWords = await listSellerWords(tx, dealerId)
  await releaseUrls(tx, dealerId, await blankAllOf(tx, dealerId))
  await removeUnusedWords(tx, sellerWords)
  await refreshFind(tx, postIds)
}

/** Deletes the director's posts that have not been on offer this long. Their deals stay. Returns the titles. */
export async function removeDirected(tx: Tx, emit: Emit, olderThanDays: number, limit: number): Promise<string[]> {
  const removed = await removeDirectedPosts(tx, olderThanDays, limit)
  await refreshFind(
    tx,
    removed.map(({ id }) => id),
  )
  for (const { id: postId, dealerId } of removed) emit('post.removed', { postId, dealerId })
  return removed.map(({ title }) => title)
}

/** Changes a counter of the post by one and publishes it. Lock the post first. */
export async function countOnPost(
  tx: Tx,
  emit: Emit,
  postId: string,
  counter: keyof typeof columns,
  by: 1 | -1,
): Promise<PostState> {
  const state = await updatePost(tx, postId, { [counter]: sql<number>`${sql.ref(columns[counter])} + ${by}` })
  // The comment is published separately.
  emit('post.changed', counter === 'commentCount' ? { ...state, partial: true } : state)
  return state
}

/** Increments the version after a change outside the post's row, which the caller has to publish. */
export async function touchPost(tx: Tx, emit: Emit, postId: string): Promise<PostState> {
  const state = await updatePost(tx, postId, {})
  emit('post.changed', { ...state, partial: true })
  return state
}

/** Ends affected maximums (on the first vehicle) and offers (on any). Skips vehicles that `stay`. */
async function tellWhoRelies(tx: Tx, emit: Emit, post: Post, vehicles: EditedVehicle[], stay: readonly string[]) {
  const before = post.vehicles.filter(({ id }) => !stay.includes(id))
  const keepsFirst = keepsLot({ vehicles: vehicles.slice(0, 1) }, { ...post, vehicles: before.slice(0, 1) })
  if (!keepsFirst) await endPresetsOn(tx, emit, post.id)
  await endOffersFor(tx, emit, otherThanOffered({ vehicles }, { vehicles: before }))
  await endOffersFor(tx, emit, takenOut({ vehicles }, { vehicles: before }), 'removed')
}

type Columns = ReturnType<typeof vehicleColumns>
type Listed = Columns & { id: string; status: VehicleStatus }
/** Returns a key that identifies a vehicle, or undefined if the vehicle lacks the fields for it. */
type KeyOf = (vehicle: Columns) => string | undefined

const traits = ['year', 'make', 'model', 'trim', 'mileage'] as const
const allTraits = [...traits, 'priceCents', 'color', 'city', 'state', 'location', 'notes'] as const

const asText = (vehicle: Columns, fields: readonly (typeof allTraits)[number][]) =>
  fields.map((field) => String(vehicle[field] ?? '').toLowerCase()).join('\n')
const byVin: KeyOf = ({ vin }) => vin ?? undefined
const byAllTraits: KeyOf = (vehicle) => (vehicle.vin === null ? asText(vehicle, allTraits) : undefined)
/** For vehicles whose mileage, color or price may have changed. */
const byName: KeyOf = (vehicle) =>
  vehicle.vin === null ? asText(vehicle, ['year', 'make', 'model', 'trim']) : undefined
const byTraits: KeyOf = (vehicle) => (vehicle.vin === null ? asText(vehicle, traits) : undefined)
/** For vehicles whose VIN was added later. Without a mileage it may be another vehicle. */
const byTraitsWithVin: KeyOf = (vehicle) =>
  vehicle.vin === null || vehicle.mileage === null ? undefined : asText(vehicle, traits)

const isAnyMileage = (): boolean => true
/** An odometer does not go back. */
const hasNoLessMiles = (vehicle: Columns, row: Columns): boolean =>
  vehicle.mileage === null || row.mileage === null || row.mileage >= vehicle.mileage

/**
 * Which of the post's vehicles the rows of its sheet are: by VIN, and without one by what else is said of them, the whole of it first, so
 * that of two alike each stays itself. Each vehicle is one row's. One that a deal has comes before its like: nothing is sold twice. A vehicle
 * in a deal, sold or pending is also matched by year, make, model and trim alone, so that a new price or a higher mileage does not offer
 * it again. A lower mileage is another vehicle.
 */
function matchRows(rows: readonly Columns[], dealt: readonly Listed[], others: readonly Listed[]) {
  const matches = new Map<Columns, string>()
  const taken = new Set<string>()
  const match = (
    vehicles: readonly Listed[],
    keyOf: KeyOf,
    keyOfRow = keyOf,
    maySame: typeof hasNoLessMiles = isAnyMileage,
  ) => {
    const waiting = new Map<string | undefined, Listed[]>()
    for (const vehicle of vehicles) {
      if (taken.has(vehicle.id)) continue
      const alike = waiting.get(keyOf(vehicle)) ?? []
      alike.push(vehicle)
      waiting.set(keyOf(vehicle), alike)
    }
    for (const row of rows) {
      const key = matches.has(row) ? undefined : keyOfRow(row)
      const alike = key === undefined ? [] : (waiting.get(key) ?? [])
      const vehicle = alike.find((one) => maySame(one, row))
      if (vehicle === undefined) continue
      alike.splice(alike.indexOf(vehicle), 1)
      matches.set(row, vehicle.id)
      taken.add(vehicle.id)
    }
  }
  for (const keyOf of [byVin, byAllTraits, byTraits]) {
    match(dealt, keyOf)
    match(others, keyOf)
  }
  match(dealt, byTraits, byTraitsWithVin)
  const offMarket = others.filter(({ status }) => status !== 'available')
  for (const vehicles of [dealt, offMarket]) match(vehicles, byName, byName, hasNoLessMiles)
  return matches
}

/** True if an auction runs, or is stopped and may start again, so that its vehicle has to stay the first. */
const needsLot = (auction: HeldAuction): boolean =>
  auction !== undefined && (auction.status === 'open' || (auction.isStopped && auction.endReason === null))

/**
 * Replaces the post's vehicles, except those in a deal, which stay and come last. Known vehicles keep their id, because
 * offers and matches refer to it. The vehicle of an auction stays first. If the sheet no longer lists it, the auction ends
 * and its seller gets a notification. Lock the auction before the post.
 * @returns the number of listed vehicles that are not in a deal
 */
export async function takeOverVehicles(
  tx: Tx,
  emit: Emit,
  postId: string,
  { vehicles, auction }: { vehicles: readonly NewVehicle[]; auction: HeldAuction },
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
    // Omit the status, so that a vehicle marked as sold or pending stays so.
    return stay.includes(id) ? [] : [{ ...vehicle, id }]
  })
  const isLot = ({ id }: EditedVehicle) => lot !== undefined && id === lot
  const edited = [...listed.filter(isLot), ...listed.filter((vehicle) => !isLot(vehicle))]
  if (post !== undefined) await tellWhoRelies(tx, emit, post, edited, stay)
  await replaceVehicles(tx, postId, edited, stay)
  await refreshSearch(tx, [postId])
  await emit.job('post.summarise', { postId }, { uniqueKey: postId })
  await tellOffered(emit, postId)
  const lotReplaced = lot !== undefined && edited[0]?.id !== lot
  await followPost(tx, emit, auction, { postId, wasActive: true, canRun: true, lotReplaced, mayEnd: true })
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

export async function emitEdit(
  tx: Tx,
  emit: Emit,
  postId: string,
  change: { vehicleCount?: number; availableCount?: number } = {},
): Promise<void> {
  const state = await updatePost(tx, postId, change)
  await refreshFind(tx, [postId])
  emit('post.changed', { ...state, partial: true })
  emit('post.edited', { postId, version: state.version })
}

/** Removes a broken picture from its posts and tells the sellers why. */
export async function dropPhoto(tx: Tx, emit: Emit, url: string, reason: string): Promise<void> {
  for (const { postId, dealerId, title } of await removePhoto(tx, url)) {
    await emitEdit(tx, emit, postId)
    await notify(tx, emit, {
      dealerId,
      kind: 'unreadable',
      title: `A photo could not be used: ${title}`,
      body: `${reason}. It was removed from your post. Edit the post to add another.`,
      path: `/post/${postId}`,
      key: `photo:${url}`,
    })
  }
}

export async function listWatchedPosts(db: Db, dealerId: string): Promise<Post[]> {
  const all = { search: '', sort: 'recent', limit: watchesMax, cursor: undefined } as const
  return (await listFeed(db, { ...all, watchedBy: dealerId })).posts
}

/** Copies bid counts to posts every few seconds, because a bid does not update its post's row. */
export async function copyBidCounts(ctx: Context): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    for (const state of await updateBidCounts(tx)) emit('post.changed', state)
  })
}

/**
 * Hides a post from everybody but its seller, or shows it again. Open screens follow at once. Hiding ends all open offers
 * and notifies both sides. An auction that is open or awaits its seller's decision ends without a sale.
 * @returns false if the post does not exist, or is hidden or shown already
 */
export async function setPostHidden(tx: Tx, emit: Emit, postId: string, hidden: boolean): Promise<boolean> {
  if (hidden) {
    await stopAuction(tx, emit, postId)
    await settleAuction(tx, emit, postId, 'no_sale')
  }
  const post = await updateHidden(tx, postId, hidden)
  if (post === undefined) return false
  await refreshFind(tx, [postId])
  if (hidden) await endOffersOnPosts(tx, emit, [postId], 'hidden')
  if (hidden) emit('post.removed', { postId, dealerId: post.dealerId })
  else emit('post.edited', { postId, version: post.version })
  await (hidden ? tellMatched : tellOffered)(emit, postId)
  return true
}

export { insertPastPosts, type PastPosts } from './posts-demo.repository.ts'

/** Removes up to `limit` views of each kind from before this day. Returns the larger number removed. */
export const sweepViews = (tx: Tx, before: Date, limit: number): Promise<number> => removeOldViews(tx, before, limit)
