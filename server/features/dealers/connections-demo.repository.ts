import { sql, type Insertable } from 'kysely'
import type { ConnectionRequests, ProfileViews } from '#server/db/schema.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { lockDealers } from './connections.repository.ts'

export interface PastNetwork {
  mutual: { otherId: string; createdAt: Date }[]
  added: { otherId: string; createdAt: Date }[]
  requests: Insertable<ConnectionRequests>[]
  views: Insertable<ProfileViews>[]
}

/** Inserts a demo dealer's past network without sending notifications. */
export async function insertPastNetwork(tx: Tx, dealerId: string, network: PastNetwork): Promise<void> {
  const { mutual, added, requests, views } = network
  const friends = mutual.map(({ otherId }) => otherId)
  await lockDealers(tx, [dealerId, ...friends])
  await tx
    .insertInto('connections')
    .values([
      ...[...mutual, ...added].map((one) => ({ dealerId, ...one })),
      ...mutual.map(({ otherId, createdAt }) => ({ dealerId: otherId, otherId: dealerId, createdAt })),
    ])
    .execute()
  await sql`
    update dealers set connection_count = connection_count + case when id = ${dealerId} then ${mutual.length + added.length}::int else 1 end
    where id = any(${[dealerId, ...friends]}::uuid[])`.execute(tx)
  await tx.insertInto('connectionRequests').values(requests).execute()
  await tx
    .insertInto('profileViews')
    .values(views)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
