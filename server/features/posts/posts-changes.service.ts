import { sql } from 'kysely'
import { watchesMax } from '#shared/limits.ts'
import type { PostState } from '#shared/events/posts.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { notFound } from '#server/errors.ts'
import { refreshFind, queueMatching, announceOffered } from '#server/features/find/refresh-find.service.ts'
import { endOffersOnPosts } from '#server/features/deals/offers/offer-notices.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { listFeed } from './feed/feed.repository.ts'
import { blankAllOf, listSellerWords, removeAllOf, removeUnusedWords } from './post-edits.repository.ts'
import {
  findCommentCount,
  findPost,
  removeDirectedPosts,
  removeImports,
  removePhoto,
  updateBidCounts,
  updateHidden,
} from './posts.repository.ts'
import { lockPost, updatePost, finishAuction, findAndLockPost } from '#server/features/sale/sale.service.ts'
import { removeOldViews } from './reactions/reactions.repository.ts'
import type { Context } from '#server/platform/process/context.ts'
import { stopAuction, stopAuctionsOf } from '#server/features/auctions/auction-of-post.service.ts'

const columns = { likeCount: 'like_count', infoCount: 'info_count', commentCount: 'comment_count' } as const

/** @throws 404 if the post is deleted or hidden */
export async function lockVisiblePost(tx: Tx, postId: string) {
  const post = await findAndLockPost(tx, postId)
  if (post === undefined) throw notFound('This post')
  return post
}

/** Locks these posts until the transaction ends. Returns the ids of the visible ones. */
export async function lockVisiblePosts(tx: Tx, postIds: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  // Lock in a fixed order to prevent deadlocks.
  for (const postId of [...new Set(postIds)].toSorted())
    if ((await lockPost(tx, postId)) !== undefined) there.add(postId)
  return there
}

/** @throws 404 unless other dealers can see the post */
export async function requirePost(db: Db, postId: string): Promise<void> {
  if ((await findPost(db, postId)) === undefined) throw notFound('This post')
}

/** @throws 404 if the reader cannot see the post */
export async function readCommentCount(db: Db, postId: string, readerId: string): Promise<number> {
  const count = await findCommentCount(db, postId, readerId)
  if (count === undefined) throw notFound('This post')
  return count
}

export async function removePostsOf(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await stopAuctionsOf(tx, emit, dealerId)
  const postIds = await removeAllOf(tx, dealerId)
  await removeImports(tx, postIds)
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

/** Deletes old inactive posts of the demo's director and of deleted demo accounts. Keeps their deals. Returns the titles. */
export async function removeDirected(tx: Tx, emit: Emit, olderThanDays: number, limit: number): Promise<string[]> {
  const removed = await removeDirectedPosts(tx, olderThanDays, limit)
  await refreshFind(
    tx,
    removed.map(({ id }) => id),
  )
  for (const { id: postId, dealerId } of removed) emit('post.removed', { postId, dealerId })
  return removed.map(({ title }) => title)
}

/** Changes a counter of the post and publishes it. The caller must lock the post first. */
export async function countOnPost(
  tx: Tx,
  emit: Emit,
  postId: string,
  counter: keyof typeof columns,
  by: 1 | -1,
): Promise<PostState> {
  const state = await updatePost(tx, postId, { [counter]: sql<number>`${sql.ref(columns[counter])} + ${by}` })
  emit('post.changed', counter === 'commentCount' ? { ...state, partial: true } : state)
  return state
}

/** Increments the post's version after a change outside its row. The caller must publish that change. */
export async function touchPost(tx: Tx, emit: Emit, postId: string): Promise<PostState> {
  const state = await updatePost(tx, postId, {})
  emit('post.changed', { ...state, partial: true })
  return state
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

/** Copies bid counts from auctions to posts. A job runs this every few seconds, because a bid does not update the post's row. */
export async function copyBidCounts(ctx: Context): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    for (const state of await updateBidCounts(tx)) emit('post.changed', state)
  })
}

/**
 * Hides a post from everyone except its seller, or shows it again. Hiding ends all open offers and notifies both sides. An auction that is
 * open or awaits its seller's decision ends without a sale.
 * @returns false if the post does not exist, or is already in that state
 */
export async function setPostHidden(tx: Tx, emit: Emit, postId: string, hidden: boolean): Promise<boolean> {
  if (hidden) {
    await stopAuction(tx, emit, postId)
    await finishAuction(tx, emit, postId, 'no_sale')
  }
  const post = await updateHidden(tx, postId, hidden)
  if (post === undefined) return false
  await refreshFind(tx, [postId])
  if (hidden) await endOffersOnPosts(tx, emit, [postId], 'hidden')
  if (hidden) emit('post.removed', { postId, dealerId: post.dealerId })
  else emit('post.edited', { postId, version: post.version })
  await (hidden ? queueMatching : announceOffered)(emit, postId)
  return true
}

export { insertPastPosts, type PastPosts } from './posts-demo.repository.ts'

/** Removes up to `limit` old views of each kind. `before` is the first day to keep. Returns the larger of the two numbers removed. */
export const sweepViews = (tx: Tx, before: Date, limit: number): Promise<number> => removeOldViews(tx, before, limit)
