import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { settle, stopOpen } from './auctions.repository.ts'

/** The seller has decided about the highest bid below the reserve. */
export async function settleAuction(tx: Tx, emit: Emit, postId: string, status: 'sold' | 'no_sale'): Promise<void> {
  if (await settle(tx, postId, status)) await emit('auction.changed', { postId })
}

/** The post is taken away: nobody wins what nobody may see. */
export async function stopAuction(tx: Tx, emit: Emit, postId: string): Promise<void> {
  if (await stopOpen(tx, postId)) await emit('auction.changed', { postId })
}
