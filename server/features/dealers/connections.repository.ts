import { sql } from 'kysely'
import type { ConnectionRequest, OwnNetwork } from '#shared/schemas/dealers.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { notBlocked, sharedBy } from './directory.repository.ts'

export async function listRequests(db: Db, dealerId: string): Promise<ConnectionRequest[]> {
  const rows = await db
    .selectFrom('connectionRequests as request')
    .innerJoin('dealers', 'dealers.id', 'request.requesterId')
    .select(['request.id', 'request.createdAt', 'dealers.id as requesterId'])
    .select(['dealers.name', 'dealers.avatar', 'dealers.dealershipName'])
    .where('request.dealerId', '=', dealerId)
    .where('request.status', '=', 'pending')
    .where('dealers.deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .where(notBlocked(dealerId))
    .orderBy('request.createdAt', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ requesterId, name, avatar, dealershipName, id, createdAt }) => ({
    id,
    createdAt: createdAt.toISOString(),
    requester: { id: requesterId, name, avatar, dealershipName },
  }))
}

/** Locks dealers in the order of their ids to prevent deadlocks. */
export async function lockDealers(tx: Tx, dealerIds: string[]): Promise<Map<string, { name: string }>> {
  const rows = await tx
    .selectFrom('dealers')
    .select(['id', 'name'])
    .where('id', 'in', dealerIds)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(({ id, name }) => [id, { name }]))
}

export async function findRequester(tx: Tx, dealerId: string, requestId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('connectionRequests')
    .select('requesterId')
    .where('id', '=', requestId)
    .where('dealerId', '=', dealerId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return row?.requesterId
}

/** Returns the id of the closed request, or undefined if there is no open request. */
export async function updateOpenRequest(
  tx: Tx,
  { requesterId, dealerId }: { requesterId: string; dealerId: string },
  status: 'accepted' | 'declined' | 'withdrawn',
): Promise<string | undefined> {
  const row = await tx
    .updateTable('connectionRequests')
    .set({ status, decidedAt: sql<Date>`clock_timestamp()` })
    .where('requesterId', '=', requesterId)
    .where('dealerId', '=', dealerId)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function insertRequest(tx: Tx, requesterId: string, dealerId: string): Promise<string | undefined> {
  const row = await tx
    .insertInto('connectionRequests')
    .values({ requesterId, dealerId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function wasDeclined(tx: Tx, requesterId: string, dealerId: string, days: number): Promise<boolean> {
  const row = await tx
    .selectFrom('connectionRequests')
    .select('id')
    .where('requesterId', '=', requesterId)
    .where('dealerId', '=', dealerId)
    .where('status', '=', 'declined')
    .where('decidedAt', '>', sql<Date>`now() - ${days} * interval '1 day'`)
    .executeTakeFirst()
  return row !== undefined
}

async function addToCount(tx: Tx, dealerId: string, change: number): Promise<void> {
  await tx
    .updateTable('dealers')
    .set({ connectionCount: sql<number>`connection_count + ${change}` })
    .where('id', '=', dealerId)
    .execute()
}

export async function insertConnection(tx: Tx, dealerId: string, otherId: string): Promise<boolean> {
  const result = await tx
    .insertInto('connections')
    .values({ dealerId, otherId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  const added = (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  if (added) await addToCount(tx, dealerId, 1)
  return added
}

export async function removeConnection(tx: Tx, dealerId: string, otherId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('connections')
    .where('dealerId', '=', dealerId)
    .where('otherId', '=', otherId)
    .executeTakeFirst()
  const removed = result.numDeletedRows > 0n
  if (removed) await addToCount(tx, dealerId, -1)
  return removed
}

/** Removes the dealer from all networks and corrects connection counts. Returns the ids of the affected dealers. */
export async function removeFromNetworks(tx: Tx, dealerId: string): Promise<string[]> {
  await tx.deleteFrom('connections').where('dealerId', '=', dealerId).execute()
  const others = await tx.deleteFrom('connections').where('otherId', '=', dealerId).returning('dealerId').execute()
  const ids = others.map((row) => row.dealerId).toSorted()
  if (ids.length > 0)
    await tx
      .updateTable('dealers')
      .set({ connectionCount: sql<number>`connection_count - 1` })
      .where('id', 'in', ids)
      .execute()
  await tx
    .deleteFrom('connectionRequests')
    .where((eb) => eb.or([eb('requesterId', '=', dealerId), eb('dealerId', '=', dealerId)]))
    .execute()
  return ids
}

export async function hasConnection(db: Db, dealerId: string, otherId: string): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('otherId')
    .where('dealerId', '=', dealerId)
    .where('otherId', '=', otherId)
    .executeTakeFirst()
  return row !== undefined
}

export async function findConnectionCount(db: Db, dealerId: string): Promise<number> {
  const row = await db.selectFrom('dealers').select('connectionCount').where('id', '=', dealerId).executeTakeFirst()
  return row?.connectionCount ?? 0
}

export async function listRelations(db: Db, dealerId: string, otherIds: string[]) {
  if (otherIds.length === 0) return new Map<string, RelationRow>()
  const { rows } = await sql<RelationRow>`
    select other.id, mine.other_id is not null as connected, theirs.dealer_id is not null as back,
           coalesce(shared.count, 0)::int as mutual
    from unnest(${otherIds}::uuid[]) as other(id)
    left join connections mine on mine.dealer_id = ${dealerId} and mine.other_id = other.id
    left join connections theirs on theirs.dealer_id = other.id and theirs.other_id = ${dealerId}
    left join (
      select c.dealer_id, count(*) as count from connections c
      where c.dealer_id = any(${otherIds}::uuid[])
        and c.other_id in (${sharedBy(dealerId)})
      group by c.dealer_id
    ) shared on shared.dealer_id = other.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface RelationRow {
  id: string
  connected: boolean
  back: boolean
  mutual: number
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

export async function findBlock(db: Db, one: string, other: string): Promise<boolean> {
  const row = await db
    .selectFrom('chats')
    .innerJoin('chatMembers', 'chatMembers.chatId', 'chats.id')
    .select('chats.id')
    .where('chats.lowDealerId', '=', sql<string>`least(${one}::uuid, ${other}::uuid)`)
    .where('chats.highDealerId', '=', sql<string>`greatest(${one}::uuid, ${other}::uuid)`)
    .where('chatMembers.blockedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
