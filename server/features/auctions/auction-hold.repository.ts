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

/** Ends an auction on which nobody has bid. */
export async function withdraw(tx: Tx, postId: string): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ status: 'no_sale', seq: sql<number>`seq + 1`, closedAt: sql<Date>`clock_timestamp()` })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .where('bidCount', '=', 0)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends an open auction now and without a sale. False: it was not open. */
export async function stopOpen(tx: Tx, postId: string): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ status: 'no_sale', seq: sql<number>`seq + 1`, closedAt: sql<Date>`clock_timestamp()` })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
