import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { listPostsOf, refreshPosts, refreshSellerRows } from './find.repository.ts'
import { modelTraits } from './model-traits.ts'

/** Model and VIN traits in the form that PostgreSQL gets. Cached, because they never change. */
let traits: string | undefined
const traitsText = () => (traits ??= JSON.stringify(modelTraits()))

/**
 * Updates the Find rows of these posts. Call it in the transaction that changes a post, its vehicles or photos, or its
 * auction's terms or end, after the last change. Not needed for bids. Ids of deleted posts are allowed.
 */
export const refreshFind = (tx: Tx, postIds: readonly string[]): Promise<number> =>
  postIds.length === 0 ? Promise.resolve(0) : refreshPosts(tx, postIds, traitsText())

/**
 * Updates the Find data of sellers. Call it after a rating changes, or an account is suspended, restored or deleted.
 * Returns the number of changes.
 * @param dealerIds all sellers if omitted
 */
export const refreshFindSellers = (tx: Tx, dealerIds?: readonly string[]): Promise<number> =>
  refreshSellerRows(tx, dealerIds)

/** Call it after a seller moves: vehicles without a location of their own are at their seller's. */
export async function refreshFindPlaces(tx: Tx, dealerId: string): Promise<void> {
  await refreshFind(tx, await listPostsOf(tx, dealerId))
}

/** Notifies dealers who search for such vehicles or have one as a match. Call it after a post's vehicles change. */
export const queueMatching = (emit: Emit, postId: string): Promise<void> =>
  emit.job('find.match', { postId }, { uniqueKey: postId })

/** Call it when vehicles of an existing post are offered again or differently. Also refreshes open screens. */
export async function announceOffered(emit: Emit, postId: string): Promise<void> {
  emit('find.offered', { postId })
  await queueMatching(emit, postId)
}
