import { sql } from 'kysely'
import { watchesMax } from '#shared/limits.ts'
import type { PostState } from '#shared/events/posts.ts'
import type { EditedVehicle, NewVehicle, Post } from '#shared/schemas/posts.ts'
import { notFound } from '#server/errors.ts'
import { refreshFind, tellMatched, tellOffered } from '#server/features/find/find-rows.service.ts'
import { endOffersFor } from '#server/features/deals/offers/offer-notices.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { listFeed } from './feed/feed.repository.ts'
import { keepsLot, otherThanOffered } from './post-lot.policy.ts'
import { blankAllOf, removeAllOf, replaceVehicles } from './post-edits.repository.ts'
import {
  countAvailable,
  findCommentCount,
  findPost,
  listDealtVehicles,
  listVins,
  lockPost,
  refreshSearch,
  removeDirectedPosts,
  removePhoto,
  updateBidCounts,
  updateHidden,
  updatePost,
} from './posts.repository.ts'
import { removeOldViews } from './reactions/reactions.repository.ts'
import type { Context } from '#server/platform/context.ts'
import { endPresetsOn, stopAuction, stopAuctionsOf } from '#server/features/auctions/auction-lot.service.ts'

const columns = { likeCount: 'like_count', infoCount: 'info_count', commentCount: 'comment_count' } as const

/** The post that another feature's act is about, locked until its transaction ends. Undefined: deleted or hidden. */
export const findHeld = (tx: Tx, postId: string) => lockPost(tx, postId)

/** The same. @throws 404 */
export async function holdPost(tx: Tx, postId: string) {
  const post = await findHeld(tx, postId)
  if (post === undefined) throw notFound('This post')
  return post
}

/** Locks these posts until the transaction ends; answers which of them are there. */
export async function holdPosts(tx: Tx, postIds: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  // In one order everywhere: two who hold several would otherwise wait for each other.
  for (const postId of [...new Set(postIds)].toSorted())
    if ((await lockPost(tx, postId)) !== undefined) there.add(postId)
  return there
}

/** @throws 404 unless it is there for readers */
export async function requirePost(db: Db, postId: string): Promise<void> {
  if ((await findPost(db, postId)) === undefined) throw notFound('This post')
}

/** How many comments a post has, as this dealer may see it. @throws 404 */
export async function readCommentCount(db: Db, postId: string, readerId: string): Promise<number> {
  const count = await findCommentCount(db, postId, readerId)
  if (count === undefined) throw notFound('This post')
  return count
}

/** The posts of an account that goes leave the network. */
export async function removePostsOf(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await stopAuctionsOf(tx, emit, dealerId)
  const postIds = await removeAllOf(tx, dealerId)
  for (const postId of postIds) emit('post.removed', { postId, dealerId })
  await emit.jobs(
    'find.match',
    postIds.map((postId) => ({ payload: { postId }, uniqueKey: postId })),
  )
  await releaseUrls(tx, dealerId, await blankAllOf(tx, dealerId))
  await refreshFind(tx, postIds)
}

/** Posts of the demo's director that have not been on offer for so long leave for good; deals on them stay. Answers their titles. */
export async function removeDirected(tx: Tx, emit: Emit, olderThanDays: number, limit: number): Promise<string[]> {
  const removed = await removeDirectedPosts(tx, olderThanDays, limit)
  await refreshFind(
    tx,
    removed.map(({ id }) => id),
  )
  for (const { id: postId, dealerId } of removed) emit('post.removed', { postId, dealerId })
  return removed.map(({ title }) => title)
}

/** Moves one of the post's counters by one; who looks at the post sees it. Hold the post first. */
export async function countOnPost(
  tx: Tx,
  emit: Emit,
  postId: string,
  counter: keyof typeof columns,
  by: 1 | -1,
): Promise<PostState> {
  const state = await updatePost(tx, postId, { [counter]: sql<number>`${sql.ref(columns[counter])} + ${by}` })
  // The comment itself follows, or where it was hidden the call to fetch the post.
  emit('post.changed', counter === 'commentCount' ? { ...state, partial: true } : state)
  return state
}

/** Something that belongs to the post, and is not in its own row, has changed: who missed it finds a newer version. Say what. */
export async function touchPost(tx: Tx, emit: Emit, postId: string): Promise<PostState> {
  const state = await updatePost(tx, postId, {})
  emit('post.changed', { ...state, partial: true })
  return state
}

/** Maximums at the start and offers were meant for the vehicles as they were. */
async function tellWhoRelies(tx: Tx, emit: Emit, postId: string, vehicles: EditedVehicle[]): Promise<void> {
  const before = await findPost(tx, postId)
  if (before === undefined) return
  if (!keepsLot({ vehicles }, before)) await endPresetsOn(tx, emit, postId)
  await endOffersFor(tx, emit, otherThanOffered({ vehicles }, before))
}

/**
 * Puts these vehicles in the place of all that the post had, but for those that a deal has: they stay, once. One with a VIN that was there
 * stays the same vehicle: offers, matches and who was told of it hang on that.
 */
export async function takeOverVehicles(tx: Tx, emit: Emit, postId: string, vehicles: NewVehicle[]): Promise<void> {
  const dealt = await listDealtVehicles(tx, postId)
  const taken = new Set(dealt.flatMap(({ vin }) => vin ?? []))
  const others = vehicles.filter(({ vin = '' }) => !taken.has(vin.toUpperCase()))
  const ids = dealt.map(({ id }) => id)
  const known = new Map((await listVins(tx, postId, ids)).map(({ id, vin }) => [vin, id]))
  const edited = others.map((vehicle): EditedVehicle => {
    const id = known.get(vehicle.vin?.toUpperCase() ?? null)
    return id === undefined ? vehicle : { ...vehicle, id, status: 'available' }
  })
  await tellWhoRelies(tx, emit, postId, edited)
  await replaceVehicles(tx, postId, edited, dealt)
  await refreshSearch(tx, [postId])
  await emit.job('post.summarise', { postId }, { uniqueKey: postId })
  await tellOffered(emit, postId)
  await emitEdit(tx, emit, postId, {
    vehicleCount: ids.length + others.length,
    availableCount: await countAvailable(tx, postId),
  })
}

/** Has everybody who looks at the post fetch it again. */
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

/** Takes a picture that cannot be shown out of the posts it is in; their sellers are told which, and why. */
export async function dropPhoto(tx: Tx, emit: Emit, url: string, reason: string): Promise<void> {
  for (const { postId, dealerId, title } of await removePhoto(tx, url)) {
    await emitEdit(tx, emit, postId)
    await notify(tx, emit, {
      dealerId,
      kind: 'unreadable',
      title: `A photo could not be used: ${title}`,
      body: `${reason}. It was taken out of your post. Edit the post to add another.`,
      path: `/post/${postId}`,
      key: `photo:${url}`,
    })
  }
}

/** The posts on a dealer's watchlist, newest first. */
export async function listWatchedPosts(db: Db, dealerId: string): Promise<Post[]> {
  const all = { search: '', sort: 'recent', limit: watchesMax, cursor: undefined } as const
  return (await listFeed(db, { ...all, watchedBy: dealerId })).posts
}

/** Posts' bid counters follow their auctions a few seconds later: a bid does not touch its post's row. */
export async function copyBidCounts(ctx: Context): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    for (const state of await updateBidCounts(tx)) emit('post.changed', state)
  })
}

/**
 * Takes a post from everybody's sight but its seller's, or puts it back. Open screens follow at once. An auction on it
 * that is open ends without a sale, for good.
 * @returns false where there is no such post, or it is so already
 */
export async function setPostHidden(tx: Tx, emit: Emit, postId: string, hidden: boolean): Promise<boolean> {
  if (hidden) await stopAuction(tx, emit, postId)
  const post = await updateHidden(tx, postId, hidden)
  if (post === undefined) return false
  await refreshFind(tx, [postId])
  if (hidden) emit('post.removed', { postId, dealerId: post.dealerId })
  else emit('post.edited', { postId, version: post.version })
  await (hidden ? tellMatched : tellOffered)(emit, postId)
  return true
}

export { insertPastPosts, type PastPosts } from './posts-demo.repository.ts'

/** Up to so many views of before that day. Answers how many it were of the kind that had most. */
export const sweepViews = (tx: Tx, before: Date, limit: number): Promise<number> => removeOldViews(tx, before, limit)
