import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { stopOpen } from './auction-hold.repository.ts'
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

/** The post is taken away: nobody wins what nobody may see. */
export async function stopAuction(tx: Tx, emit: Emit, postId: string): Promise<void> {
  if (await stopOpen(tx, postId)) await announceState(tx, emit, postId)
}
