import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { listPostsOf, refreshPosts, refreshSellerRows } from './find.repository.ts'
import { modelTraits } from './model-traits.ts'

/** The same for every call: what PostgreSQL is told of models and VINs. */
let traits: string | undefined
const traitsText = () => (traits ??= JSON.stringify(modelTraits()))

/**
 * Brings what Find has of these posts to what they say: called in the transaction of whoever changed a post, its vehicles, its photos, or
 * the terms or the end of its auction, after the last of it. A post that is gone may be named. Never by a bid.
 */
export const refreshFind = (tx: Tx, postIds: readonly string[]): Promise<number> =>
  postIds.length === 0 ? Promise.resolve(0) : refreshPosts(tx, postIds, traitsText())

/**
 * The same for what Find knows of sellers: after their rating changed, or they were suspended, let back in or deleted. Answers how many differed.
 * @param dealerIds without them, all
 */
export const refreshFindSellers = (tx: Tx, dealerIds?: readonly string[]): Promise<number> =>
  refreshSellerRows(tx, dealerIds)

/** After a seller has moved: vehicles without a place of their own are where their seller is. */
export async function refreshFindPlaces(tx: Tx, dealerId: string): Promise<void> {
  await refreshFind(tx, await listPostsOf(tx, dealerId))
}

/** Vehicles of a post changed, or went: who looks for such ones, or has one as a match, is told. */
export const tellMatched = (emit: Emit, postId: string): Promise<void> =>
  emit.job('find.match', { postId }, { uniqueKey: postId })

/** Vehicles of a post from before are on offer, or otherwise than they were: open screens ask again, too. */
export async function tellOffered(emit: Emit, postId: string): Promise<void> {
  emit('find.offered', { postId })
  await tellMatched(emit, postId)
}
