import { stopAuction } from '#server/features/auctions/auction-outcome.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { updateHidden } from './posts.repository.ts'

/**
 * Takes a post from everybody's sight but its seller's, or puts it back. Open screens follow at once. An auction on it
 * that is open ends without a sale, for good.
 * @returns false where there is no such post, or it is so already
 */
export async function setPostHidden(tx: Tx, emit: Emit, postId: string, hidden: boolean): Promise<boolean> {
  if (hidden) await stopAuction(tx, emit, postId)
  const post = await updateHidden(tx, postId, hidden)
  if (post === undefined) return false
  if (hidden) emit('post.removed', { postId, dealerId: post.dealerId })
  else emit('post.edited', { postId, version: post.version })
  return true
}
