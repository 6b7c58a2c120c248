import { sql } from 'kysely'
import type { Tx } from '#server/platform/db.ts'

/** The auction of one's own post, locked. Undefined: there is none. */
export async function lockAuction(tx: Tx, postId: string, sellerId: string) {
  return tx
    .selectFrom('auctions')
    .select(['status', 'bidCount', 'startCents', 'reserveCents', 'startsAt', 'endsAt'])
    .where('postId', '=', postId)
    .where('sellerId', '=', sellerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Ends an open auction now and without a sale. False: it was not open or, `onlyWithoutBids`, somebody has bid. */
export async function stopOpen(tx: Tx, postId: string, { onlyWithoutBids = false } = {}): Promise<boolean> {
  let query = tx
    .updateTable('auctions')
    .set({ status: 'no_sale', seq: sql<number>`seq + 1`, closedAt: sql<Date>`clock_timestamp()` })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
  if (onlyWithoutBids) query = query.where('bidCount', '=', 0)
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}
