import { sql } from 'kysely'
import type { ConnectionRequest } from '#shared/schemas/connections.ts'
import type { Db, Tx } from '#server/platform/db.ts'

export async function listRequests(db: Db, dealerId: string): Promise<ConnectionRequest[]> {
  const rows = await db
    .selectFrom('connectionRequests as request')
    .innerJoin('dealers', 'dealers.id', 'request.requesterId')
    .select([
      'request.id',
      'request.createdAt',
      'dealers.id as requesterId',
      'dealers.name',
      'dealers.avatar',
      'dealers.dealershipName',
    ])
    .where('request.dealerId', '=', dealerId)
    .where('request.status', '=', 'pending')
    .where('dealers.deletedAt', 'is', null)
    .orderBy('request.createdAt', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ requesterId, name, avatar, dealershipName, id, createdAt }) => ({
    id,
    createdAt: createdAt.toISOString(),
    requester: { id: requesterId, name, avatar, dealershipName },
  }))
}

/** Answers a request that waits for this dealer; undefined when there is none. */
export async function decideRequest(tx: Tx, dealerId: string, requestId: string, status: 'accepted' | 'declined') {
  return tx
    .updateTable('connectionRequests')
    .set({ status, decidedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', requestId)
    .where('dealerId', '=', dealerId)
    .where('status', '=', 'pending')
    .returning(['requesterId'])
    .executeTakeFirst()
}

/** Adds `otherId` to the dealer's network. False: it was there. */
export async function insertConnection(tx: Tx, dealerId: string, otherId: string): Promise<boolean> {
  const result = await tx
    .insertInto('connections')
    .values({ dealerId, otherId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  const added = (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  if (added)
    await tx
      .updateTable('dealers')
      .set({ connectionCount: sql<number>`connection_count + 1` })
      .where('id', '=', dealerId)
      .execute()
  return added
}
