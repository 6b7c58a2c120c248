import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { listPostsOf, refreshPosts, refreshSellerRows } from './find.repository.ts'
import { modelTraits } from './model-traits.ts'

let traits: string | undefined
const traitsText = () => (traits ??= JSON.stringify(modelTraits()))

/**
 * Updates the Find rows of these posts. Call it after the last change in the transaction that changes a post, its vehicles or photos, or
 * its auction's terms or end. Bids do not need it. Ids of deleted posts are allowed.
 */
export const refreshFind = (tx: Tx, postIds: readonly string[]): Promise<number> =>
  postIds.length === 0 ? Promise.resolve(0) : refreshPosts(tx, postIds, traitsText())

/** Updates the Find rows of these or all sellers. Call it after a rating changes, or an account is suspended, restored or deleted. */
export const refreshFindSellers = (tx: Tx, dealerIds?: readonly string[]): Promise<number> =>
  refreshSellerRows(tx, dealerIds)

/** Call it after a seller moves: it updates vehicles without their own location, which use the seller's location. */
export async function refreshFindPlaces(tx: Tx, dealerId: string): Promise<void> {
  await refreshFind(tx, await listPostsOf(tx, dealerId))
}

/** Queues the job that notifies dealers with a matching buy order or saved search. Call it after the post's vehicles change. */
export const queueMatching = (emit: Emit, postId: string): Promise<void> =>
  emit.job('find.match', { postId }, { uniqueKey: postId })

/** Queues matching and refreshes open screens. Call it when existing vehicles are for sale again or on different terms. */
export async function announceOffered(emit: Emit, postId: string): Promise<void> {
  emit('find.offered', { postId })
  await queueMatching(emit, postId)
}
