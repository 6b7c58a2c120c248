import { sql } from 'kysely'
import type { Static } from 'typebox'
import { bidsOnceListed, isBound } from '#shared/auction-rules.ts'
import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import { canBeOffered } from '#shared/vehicle-rules.ts'
import type { EditedVehicle, Post, PostDeletion, PostDetail, PostPatch } from '#shared/schemas/posts.ts'
import { isBlank, trimTitle } from '#shared/visible-text.ts'
import { badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { endPresetsOn, followPost, openOnOffered } from '#server/features/auctions/auction-of-post.service.ts'
import { endOffersFor, endOffersOnPosts, endOffersOnSold } from '#server/features/deals/offers/offer-notices.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import { refreshFind, queueMatching, announceOffered } from '#server/features/find/refresh-find.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { allowLinks, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Schedule } from '#server/platform/jobs/jobs.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  expireDue,
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
  otherThanOffered,
  refuseRemoval,
  replacesLot,
  takenOut,
  withChanges,
  withKept,
  withPhotos,
} from './edits-under-auction.policy.ts'
import { type Change, keepOrAttach, photosAfter, photosIn } from './post-photos.service.ts'
import { findPost, listDealtVehicles, refreshSearch, removeImports } from './posts.repository.ts'
import {
  countAvailable,
  listSummaryVehicles,
  lockPostAndAuction,
  updatePost,
  updateVehicleStatus,
} from '#server/features/sale/sale.service.ts'
import { assertFacilitator, assertFitForAuction, assertSpeaks } from './posts.policy.ts'
import { postLimit, readPost } from './posts.service.ts'

const expireEveryMs = 30_000
const expireBatch = 200
const inThirtyDays = sql<Date>`now() + interval '30 days'`

/** Locks the post and its auction for a change by the seller. @throws 404 missing, 403 not the seller */
async function lockOwn(tx: Tx, actor: Actor, postId: string) {
  const { post, auction } = await lockPostAndAuction(tx, postId, actor.dealerId)
  if (post === undefined) throw notFound('This post')
  if (post.dealerId !== actor.dealerId) throw forbidden('Only the seller can change this post')
  return { post, auction }
}

type OwnPost = Awaited<ReturnType<typeof lockOwn>>

/**
 * Ends an auction without a bid when its post is no longer active, and restarts it with the post. `auction` opens a new one.
 * @throws 409 with `EndsAuction` if an open auction would end and `endAuction` is not set
 */
async function followAuction(
  tx: Tx,
  emit: Emit,
  { post, auction }: OwnPost,
  {
    auction: terms,
    endAuction = false,
    lotReplaced = false,
  }: Pick<PostPatch, 'auction' | 'endAuction'> & { lotReplaced?: boolean },
) {
  if (terms !== undefined) return switchOn(tx, emit, { post, auction }, terms)
  const after = await findPost(tx, post.id)
  await followPost(tx, emit, auction, {
    postId: post.id,
    wasActive: post.status === 'active',
    canRun: after !== undefined && after.status === 'active' && after.isAuction,
    lotReplaced,
    mayEnd: endAuction,
  })
}

/** Opens bidding. @throws 400 if the post does not announce it or its vehicles are incomplete, 409 if it cannot open */
async function switchOn(tx: Tx, emit: Emit, { post, auction }: OwnPost, terms: AuctionTerms) {
  if (auction !== undefined) throw conflict('This post already has an auction. Change its terms there')
  const after = await findPost(tx, post.id)
  if (after?.status !== 'active') throw conflict('The post is not active, so bidding cannot open on it')
  if (after.type === 'spreadsheet' && after.vehicles.length === 0) throw conflict(bidsOnceListed)
  assertSpeaks(after)
  assertFitForAuction(after.vehicles)
  const price = after.vehicles[0]?.price ?? undefined
  const askingCents = price === undefined ? undefined : centsOf(price)
  await openOnOffered(tx, emit, { id: post.id, sellerId: post.dealerId, askingCents }, terms)
}

/** Every change is published, matched and summarized, which costs resources. */
const editLimit = { name: 'post-edits', max: 120, seconds: 60 }

/** Checks the same rules as for a new post. @throws 402, 403 `email_unconfirmed` or `license_required` */
async function requireOfferingAgain(ctx: Context, { dealerId }: Actor): Promise<void> {
  await requirePosting(ctx, dealerId)
  await requireMayTrade(ctx.db, dealerId)
}

/** True if a change puts something up for sale: a relisted post, an auction, a new vehicle, or a vehicle that was off the market. */
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
 * Changes text, photos, vehicles or status of the seller's post, or opens bidding. Absent fields stay. Open screens show the change.
 * @throws 404, 403, 400 with the messages of posting, 402 for offering more or again without a plan, 409 if a bid or a deal forbids the
 * change, and with `EndsAuction`, 429
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
      await emit.job('post.summarise', { postId }, { uniqueKey: postId })
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

/** Completes the edit with the full lists of vehicles and photos. @throws 400, 409 */
function completePatch(sent: PostPatch, before: Post): PostPatch {
  const patch = withPhotos(withKept(withChanges(sent, before), before), before)
  if (patch.vehicles !== undefined) assertListed(before)
  return patch
}

async function endOffersOnExpired(tx: Tx, emit: Emit, { id, dealerId }: OwnPost['post'], { status }: PostPatch) {
  if (status === 'expired') await endOffersOnPosts(tx, emit, [id], 'post_expired', dealerId)
}

/** Changes the status of one vehicle, or of all with the post. Returns whether anything changed. */
async function applyStatus(tx: Tx, post: { id: string; status: string }, { status, vehicle }: PostPatch) {
  if (vehicle !== undefined && !(await updateVehicleStatus(tx, post.id, vehicle.id, vehicle.status)))
    throw badRequest('This vehicle is not part of the post')
  const again = status === 'active' && (await wasSold(tx, post))
  if (status === 'sold') await updateVehicleStatuses(tx, post.id, 'sold')
  if (again) await offerAgain(tx, post.id)
  return vehicle !== undefined || status === 'sold' || (status !== undefined && status !== post.status)
}

/** A post is sold when its last vehicle is, and active again when one becomes available. */
async function statusOfVehicles(tx: Tx, { id, status }: { id: string; status: string }, availableCount: number) {
  if (status === 'active' && (await isSoldOut(tx, id))) return 'sold'
  return status === 'sold' && availableCount > 0 ? 'active' : undefined
}

/** True if the whole post was sold. Relisting it then makes all vehicles available. */
const wasSold = async (tx: Tx, { id, status }: { id: string; status: string }) =>
  status === 'sold' || (status === 'expired' && (await isSoldOut(tx, id)))

/** @throws 409 if deals have sold every vehicle */
async function offerAgain(tx: Tx, postId: string): Promise<void> {
  await updateVehicleStatuses(tx, postId, 'available')
  if (await isSoldOut(tx, postId)) throw conflict('Every vehicle in this post was sold in a deal. Create a new post')
}

/** Protects bids, and ends offers and maximums that the change affects. @throws 409 with a bid */
async function answerToBuyers(
  tx: Tx,
  emit: Emit,
  { post, auction }: OwnPost,
  patch: PostPatch,
  before: Post,
): Promise<void> {
  if (isBound(auction)) assertKeepsLot(patch, before)
  else if (!isLotUnchanged(patch, before)) await endPresetsOn(tx, emit, post.id)
  await endOffersFor(tx, emit, otherThanOffered(patch, before))
  await endOffersFor(tx, emit, takenOut(patch, before), 'removed')
}

/** Writes text, vehicles and photos. Returns the columns of the post itself. */
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
  // Otherwise an overdue post would expire again at once.
  ...(status === 'active' && {
    expiresAt: sql<Date>`case when expires_at <= now() then ${inThirtyDays} else expires_at end`,
  }),
})

/** @throws 409: vehicles of a spreadsheet post come from its sheet, and an auction opens on nothing else */
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

/** Deletes a post and removes it from every feed. Its deals stay. @throws 404, 403, 409 while it has a binding bid, and with `EndsAuction` */
export async function deletePost(
  ctx: Context,
  actor: Actor,
  postId: string,
  { endAuction = false }: Static<typeof PostDeletion>,
): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const own = await lockOwn(tx, actor, postId)
    if (isBound(own.auction)) refuseRemoval()
    await updatePost(tx, postId, { deletedAt: sql<Date>`now()` })
    await removeImports(tx, [postId])
    const vehicles = await listSummaryVehicles(tx, postId)
    await endOffersFor(
      tx,
      emit,
      vehicles.map(({ id }) => id),
      'removed',
    )
    emit('post.removed', { postId, dealerId: own.post.dealerId })
    await queueMatching(emit, postId)
    await followAuction(tx, emit, own, { endAuction })
    await refreshFind(tx, [postId])
  })
}

/**
 * Relists a sold or expired post for thirty days, at the top of the feed. If it was sold, all vehicles become
 * available.
 * @throws 404, 403, 402 without a plan, 409 if it is active or deals have sold every vehicle, 429
 */
export async function relistPost(ctx: Context, actor: Actor, postId: string): Promise<PostDetail> {
  await requireOfferingAgain(ctx, actor)
  await ctx.limiter.consume(postLimit, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    const own = await lockOwn(tx, actor, postId)
    if (own.post.status === 'active') throw conflict('This post is already active')
    if (await wasSold(tx, own.post)) await offerAgain(tx, postId)
    const state = await updatePost(tx, postId, {
      status: 'active',
      availableCount: await countAvailable(tx, postId),
      createdAt: sql<Date>`clock_timestamp()`,
      expiresAt: inThirtyDays,
    })
    await emit.job('post.summarise', { postId }, { uniqueKey: postId })
    emit('post.changed', { ...state, partial: true })
    emit('post.edited', { postId, version: state.version })
    await queueMatching(emit, postId)
    emit('post.created', { postId, dealerId: own.post.dealerId })
    await followAuction(tx, emit, own, {})
    await refreshFind(tx, [postId])
  })
  return readPost(ctx, postId, actor.dealerId)
}

export async function expirePosts(ctx: Context): Promise<void> {
  let found = expireBatch
  while (found === expireBatch) {
    found = await ctx.transact(async (tx, emit) => {
      const expired = await expireDue(tx, expireBatch)
      await refreshFind(
        tx,
        expired.map(({ postId }) => postId),
      )
      await endOffersOnPosts(
        tx,
        emit,
        expired.map(({ postId }) => postId),
        'post_expired',
      )
      for (const { dealerId: _, title: __, ...state } of expired) emit('post.changed', state)
      await emit.jobs(
        'find.match',
        expired.map(({ postId }) => ({ payload: { postId }, uniqueKey: postId })),
      )
      await notify(
        tx,
        emit,
        ...expired.map(({ postId, dealerId, title, version }) => ({
          dealerId,
          kind: 'expired' as const,
          title: `Your post expired: ${title}`,
          body: 'Relist it for another 30 days.',
          path: `/post/${postId}`,
          key: `expired:${postId}:${version}`,
        })),
      )
      return expired.length
    })
  }
}

export const postEditsSchedules: Schedule[] = [{ name: 'posts.expire', everyMs: expireEveryMs, run: expirePosts }]
