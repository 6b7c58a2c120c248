import { sql } from 'kysely'
import { isBound } from '#shared/auction-rules.ts'
import { canBeOffered } from '#shared/vehicle-rules.ts'
import type { EditedVehicle, Post, PostDetail, PostPatch } from '#shared/schemas/posts.ts'
import { isBlank, trimTitle } from '#shared/visible-text.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { endPresetsOn } from '#server/features/auctions/auction-of-post.service.ts'
import { endOffersFor, endOffersOnPosts, endOffersOnSold } from '#server/features/deals/offers/offer-notices.service.ts'
import { refreshFind, announceOffered } from '#server/features/find/refresh-find.service.ts'
import { allowLinks, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  isSoldOut,
  listPhotos,
  replacePhotos,
  replaceVehicles,
  updateVehicleStatuses,
} from './post-edits.repository.ts'
import {
  assertKeepsDealt,
  assertKeepsLot,
  isReplacing,
  isLotUnchanged,
  materiallyChanged,
  replacesLot,
  removedVehicleIds,
  withChanges,
  withKept,
  withPhotos,
} from './edits-under-auction.policy.ts'
import { type Change, keepOrAttach, photosAfter, photosIn } from './post-photos.service.ts'
import { findPost, listDealtVehicles, refreshSearch } from './posts.repository.ts'
import { countAvailable, updatePost, updateVehicleStatus } from '#server/features/sale/sale.service.ts'
import { assertFacilitator } from './posts.policy.ts'
import { readPost } from './posts.service.ts'
import {
  inThirtyDays,
  lockOwn,
  type OwnPost,
  followAuction,
  requireOfferingAgain,
  wasSold,
  offerAgain,
} from './own-post.service.ts'

/** Limits edits, because each change is published, matched and summarized. */
const editLimit = { name: 'post-edits', max: 120, seconds: 60 }

/** True if a change puts something up for sale: the post, an auction, a new or replaced vehicle, or one that was not for sale. */
async function offersMore(db: Db, postId: string, sent: PostPatch) {
  const { status, auction, vehicle } = sent
  if (status === 'active' || auction !== undefined || vehicle?.status === 'available') return true
  if (sent.vehicles === undefined && sent.vehicleChanges === undefined) return false
  const before = await findPost(db, postId)
  if (before === undefined) return false
  const patch = withChanges(sent, before)
  const { vehicles = [] } = patch
  if (vehicles.some(({ id }) => id === undefined)) return true
  const available = new Set(vehicles.flatMap((one) => (one.status === 'available' ? one.id : [])))
  return (
    isReplacing(withKept(patch, before), before) ||
    before.vehicles.some(({ id, status: was }) => was !== 'available' && available.has(id))
  )
}

/**
 * Changes the seller's post, or opens bidding. Absent fields keep their value.
 * @throws 404 if the post does not exist; 403 if the dealer is not the seller; 400 if a field is invalid; 402 or 403 if the dealer may not
 * offer more; 409 if a bid or a deal forbids the change; 409 with `EndsAuction` if an open auction would end; 429 after 120 a minute
 */
export async function changePost(ctx: Context, actor: Actor, postId: string, sent: PostPatch): Promise<PostDetail> {
  if (await offersMore(ctx.db, postId, sent)) await requireOfferingAgain(ctx, actor)
  await ctx.limiter.consume(editLimit, actor.dealerId)
  await allowLinks(ctx, actor, photosIn(sent))
  await ctx.transact(async (tx, emit) => {
    const own = await lockOwn(tx, actor, postId)
    const before = await findPost(tx, postId)
    if (before === undefined) throw notFound('This post')
    const patch = completePatch(sent, before)
    await answerToBuyers(tx, emit, own, patch, before)
    if (patch.vehicle !== undefined || patch.vehicles !== undefined)
      assertKeepsDealt(patch, await listDealtVehicles(tx, postId))
    const { text, edited } = await applyContent({ tx, emit, now: ctx.now() }, actor, postId, patch)
    const moved = (await applyStatus(tx, own.post, patch)) || patch.auction !== undefined
    const availableCount = await countAvailable(tx, postId)
    const state = await updatePost(tx, postId, {
      ...text,
      availableCount,
      ...(patch.vehicles !== undefined && { vehicleCount: patch.vehicles.length }),
      ...statusColumns(patch.status ?? (await statusOfVehicles(tx, own.post, availableCount))),
    })
    if (edited) {
      await refreshSearch(tx, [postId])
      await emit.job('post.summarize', { postId }, { uniqueKey: postId })
    }
    emit('post.changed', edited || moved ? { ...state, partial: true } : state)
    if (edited || moved) {
      emit('post.edited', { postId, version: state.version })
      await announceOffered(emit, postId)
    }
    await followAuction(tx, emit, own, { ...patch, lotReplaced: replacesLot(patch, before) })
    await endOffersOnSold(tx, emit, postId)
    await endOffersOnExpired(tx, emit, own.post, patch)
    await refreshFind(tx, [postId])
  })
  return readPost(ctx, postId, actor.dealerId)
}

/** @throws 400 if `vehicleChanges` is invalid; 409 if a changed vehicle was removed or a spreadsheet post's vehicles are unpublished */
function completePatch(sent: PostPatch, before: Post): PostPatch {
  const patch = withPhotos(withKept(withChanges(sent, before), before), before)
  if (patch.vehicles !== undefined) assertListed(before)
  return patch
}

async function endOffersOnExpired(tx: Tx, emit: Emit, { id, dealerId }: OwnPost['post'], { status }: PostPatch) {
  if (status === 'expired') await endOffersOnPosts(tx, emit, [id], 'post_expired', dealerId)
}

/** Updates the statuses of vehicles. Returns whether the status of a vehicle or the post changes. */
async function applyStatus(tx: Tx, post: { id: string; status: string }, { status, vehicle }: PostPatch) {
  if (vehicle !== undefined && !(await updateVehicleStatus(tx, post.id, vehicle.id, vehicle.status)))
    throw badRequest('This vehicle is not part of the post')
  const again = status === 'active' && (await wasSold(tx, post))
  if (status === 'sold') await updateVehicleStatuses(tx, post.id, 'sold')
  if (again) await offerAgain(tx, post.id)
  return vehicle !== undefined || status === 'sold' || (status !== undefined && status !== post.status)
}

/** A post is sold once its last vehicle is sold, and active again once a vehicle is available. Undefined if the status stays the same. */
async function statusOfVehicles(tx: Tx, { id, status }: { id: string; status: string }, availableCount: number) {
  if (status === 'active' && (await isSoldOut(tx, id))) return 'sold'
  return status === 'sold' && availableCount > 0 ? 'active' : undefined
}

/** Ends the offers and preset maximums that the edit affects. @throws 409 if the edit changes what bidders rely on */
async function answerToBuyers(
  tx: Tx,
  emit: Emit,
  { post, auction }: OwnPost,
  patch: PostPatch,
  before: Post,
): Promise<void> {
  if (isBound(auction)) assertKeepsLot(patch, before)
  else if (!isLotUnchanged(patch, before)) await endPresetsOn(tx, emit, post.id)
  await endOffersFor(tx, emit, materiallyChanged(patch, before))
  await endOffersFor(tx, emit, removedVehicleIds(patch, before), 'removed')
}

/** Writes vehicles and photos. Returns the text columns to write, and whether the edit changed any content. */
async function applyContent(change: Change, actor: Actor, postId: string, patch: PostPatch) {
  const { tx } = change
  const { vehicles, photoUrls } = patch
  if (patch.title !== undefined && isBlank(patch.title)) throw badRequest('Please enter a title for your post')
  assertFacilitator(patch.auctionFacilitator)
  const before = await listPhotos(tx, postId)
  if (vehicles !== undefined) {
    assertVehicles(vehicles)
    const ids = await replaceVehicles(tx, postId, vehicles)
    if (ids.length !== vehicles.length) throw badRequest('This vehicle is not part of the post')
    const photos = photosAfter(before, photoUrls, vehicles, ids)
    await replacePhotos(tx, postId, await keepOrAttach(change, actor, before, photos))
  } else if (photoUrls !== undefined)
    await replacePhotos(tx, postId, await keepOrAttach(change, actor, before, photosAfter(before, photoUrls)))
  if (vehicles !== undefined || photoUrls !== undefined) {
    const left = new Set((await listPhotos(tx, postId)).map(({ url }) => url))
    await releaseUrls(
      tx,
      actor.dealerId,
      before.flatMap(({ url }) => (left.has(url) ? [] : url)),
    )
  }
  const text = textColumns(patch)
  const edited = Object.keys(text).length > 0 || vehicles !== undefined || photoUrls !== undefined
  return { text, edited }
}

const textColumns = ({ title, description, auctionFacilitator }: PostPatch) => ({
  ...(title !== undefined && { title: trimTitle(title) }),
  ...(description !== undefined && { description }),
  ...(auctionFacilitator !== undefined && { auctionFacilitator: auctionFacilitator || null }),
})

const statusColumns = (status: PostPatch['status']) => ({
  ...(status !== undefined && { status }),
  // Otherwise, a post past its expiry date would expire again at once.
  ...(status === 'active' && {
    expiresAt: sql<Date>`case when expires_at <= now() then ${inThirtyDays} else expires_at end`,
  }),
})

/** @throws 409 if a spreadsheet post has no vehicles, because only its sheet can add them, and an auction needs one */
function assertListed({ type, vehicles }: Post): void {
  if (type === 'spreadsheet' && vehicles.length === 0)
    throw conflict(
      'The vehicles of this spreadsheet are not listed yet. Open the post to publish them, or to read the spreadsheet again',
    )
}

function assertVehicles(vehicles: EditedVehicle[]): void {
  if (vehicles.length === 0 || !vehicles.every(canBeOffered))
    throw badRequest("Please complete at least one vehicle's information")
  const ids = vehicles.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) throw badRequest('A vehicle is listed twice')
}
