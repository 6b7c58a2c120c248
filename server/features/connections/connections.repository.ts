import { sql } from 'kysely'
import type { ConnectionRequest, OwnNetwork } from '#shared/schemas/connections.ts'
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

/** Takes `otherId` out of the dealer's network. False: it was not there. */
export async function removeConnection(tx: Tx, dealerId: string, otherId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('connections')
    .where('dealerId', '=', dealerId)
    .where('otherId', '=', otherId)
    .executeTakeFirst()
  const removed = result.numDeletedRows > 0n
  if (removed)
    await tx
      .updateTable('dealers')
      .set({ connectionCount: sql<number>`greatest(connection_count - 1, 0)` })
      .where('id', '=', dealerId)
      .execute()
  return removed
}

/** Asks the other side, unless it has the dealer already or was asked before. The request's id, or undefined. */
export async function insertRequest(tx: Tx, requesterId: string, dealerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into connection_requests (requester_id, dealer_id)
    select ${requesterId}, ${dealerId}
    where not exists (select 1 from connections where dealer_id = ${dealerId} and other_id = ${requesterId})
    on conflict do nothing returning id`.execute(tx)
  return rows[0]?.id
}

/** Closes what waits between the two: the other's request is thereby accepted, or the dealer's own withdrawn. */
export async function closeRequests(
  tx: Tx,
  requesterId: string,
  dealerId: string,
  status: 'accepted' | 'withdrawn',
): Promise<void> {
  await tx
    .updateTable('connectionRequests')
    .set({ status, decidedAt: sql<Date>`clock_timestamp()` })
    .where('requesterId', '=', requesterId)
    .where('dealerId', '=', dealerId)
    .where('status', '=', 'pending')
    .execute()
}

export async function readNetwork(db: Db, dealerId: string): Promise<OwnNetwork> {
  const { rows } = await sql<OwnNetwork>`
    select coalesce(array_agg(mine.other_id), '{}') as connected,
           coalesce(array_agg(mine.other_id) filter (where theirs.dealer_id is not null), '{}') as mutual
    from connections mine
    left join connections theirs on theirs.dealer_id = mine.other_id and theirs.other_id = mine.dealer_id
    where mine.dealer_id = ${dealerId}`.execute(db)
  return rows[0] ?? { connected: [], mutual: [] }
}

/** A dealer one can connect with: there, and not deleted. */
export async function dealerExists(tx: Tx, dealerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('dealers')
    .select('id')
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
