import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findState, settle } from './auctions.repository.ts'

const recentBids = 3

/** Tells the auction's watchers how it stands now. */
export async function announceState(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const found = await findState(tx, postId, recentBids)
  if (found !== undefined) await emit.durable('auction.changed', found.state)
}

/** The seller has decided about the highest bid below the reserve. */
export async function settleAuction(tx: Tx, emit: Emit, postId: string, status: 'sold' | 'no_sale'): Promise<void> {
  if (await settle(tx, postId, status)) await announceState(tx, emit, postId)
}
