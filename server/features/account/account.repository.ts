import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db.ts'

const pendingHours = 24

/** One waits per dealer: a new one takes the place of the last. */
export async function upsertEmailChange(tx: Tx, dealerId: string, email: string): Promise<void> {
  const expiresAt = sql<Date>`now() + ${pendingHours} * interval '1 hour'`
  await tx
    .insertInto('emailChanges')
    .values({ dealerId, email, expiresAt })
    .onConflict((conflict) => conflict.column('dealerId').doUpdateSet({ email, expiresAt }))
    .execute()
}

/** Whether this address has waited for the dealer until now; it does no longer. */
export async function removeEmailChange(tx: Tx, dealerId: string, email?: string): Promise<boolean> {
  let query = tx.deleteFrom('emailChanges').where('dealerId', '=', dealerId)
  if (email !== undefined) query = query.where('email', '=', email).where('expiresAt', '>', sql<Date>`now()`)
  const result = await query.executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** The address that waits for its link to be opened. */
export async function findEmailChange(db: Db, dealerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('emailChanges')
    .select('email')
    .where('dealerId', '=', dealerId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.email
}

/** A taken address breaks `dealers_email_key`. @param verified its owner has opened a link that was mailed there */
export async function updateEmail(tx: Tx, dealerId: string, email: string, verified: boolean): Promise<void> {
  await tx
    .updateTable('dealers')
    .set({ email, emailVerifiedAt: verified ? sql<Date>`now()` : null, updatedAt: sql<Date>`now()` })
    .where('id', '=', dealerId)
    .execute()
}

const personal = [
  'passwordHash',
  'avatar',
  'phone',
  'website',
  'description',
  'address',
  'zip',
  'licenseNumber',
  'licenseVerifiedAt',
  'auctionAccessNumber',
  'dealership5MilNumber',
] as const

/** Takes away who it was and keeps the row: deals, comments and messages of others still point at it. */
export async function anonymise(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('dealers')
    .set({
      ...Object.fromEntries(personal.map((column) => [column, null])),
      name: 'Deleted dealer',
      dealershipName: '',
      email: `deleted-${id}@lanewire.invalid`,
      city: '',
      state: '',
      role: 'dealer',
      settings: '{}',
      connectionCount: 0,
      deletedAt: sql<Date>`now()`,
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  for (const table of [
    'identities',
    'authTokens',
    'notifications',
    'savedSearches',
    'watches',
    'emailChanges',
  ] as const)
    await tx.deleteFrom(table).where('dealerId', '=', id).execute()
}

/** Leaves every network. Answers those who had the dealer in theirs; their counts are corrected. */
export async function removeFromNetworks(tx: Tx, id: string): Promise<string[]> {
  await tx.deleteFrom('connections').where('dealerId', '=', id).execute()
  const others = await tx.deleteFrom('connections').where('otherId', '=', id).returning('dealerId').execute()
  const ids = others.map(({ dealerId }) => dealerId).toSorted()
  if (ids.length > 0)
    await tx
      .updateTable('dealers')
      .set({ connectionCount: sql<number>`connection_count - 1` })
      .where('id', 'in', ids)
      .execute()
  await tx
    .deleteFrom('connectionRequests')
    .where((eb) => eb.or([eb('requesterId', '=', id), eb('dealerId', '=', id)]))
    .execute()
  return ids
}

/** Posts of a deleted account leave the network; answers their ids. */
export async function removePostsOf(tx: Tx, dealerId: string): Promise<string[]> {
  const rows = await tx
    .updateTable('posts')
    .set({ deletedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where('dealerId', '=', dealerId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Everything that is the dealer's own, table by table, without secrets and without what belongs to others. */
export async function collectData(db: Db, dealerId: string) {
  const dealer = await db.selectFrom('dealers').selectAll().where('id', '=', dealerId).executeTakeFirstOrThrow()
  const { passwordHash: _secret, rev: _rev, ...account } = dealer
  const [posts, vehicles, comments, reactions, connections, requests, deals, messages, searches, watches, notices] =
    await Promise.all([
      db
        .selectFrom('posts')
        .select(['id', 'title', 'description', 'type', 'status', 'spreadsheetUrl', 'createdAt', 'deletedAt'])
        .where('dealerId', '=', dealerId)
        .execute(),
      db
        .selectFrom('vehicles')
        .innerJoin('posts', 'posts.id', 'vehicles.postId')
        .selectAll('vehicles')
        .where('posts.dealerId', '=', dealerId)
        .execute(),
      db
        .selectFrom('comments')
        .select(['id', 'postId', 'content', 'attachmentUrl', 'createdAt'])
        .where('dealerId', '=', dealerId)
        .execute(),
      db.selectFrom('reactions').select(['postId', 'kind', 'createdAt']).where('dealerId', '=', dealerId).execute(),
      db.selectFrom('connections').select(['otherId', 'createdAt']).where('dealerId', '=', dealerId).execute(),
      db
        .selectFrom('connectionRequests')
        .select(['requesterId', 'dealerId', 'status', 'createdAt'])
        .where((eb) => eb.or([eb('requesterId', '=', dealerId), eb('dealerId', '=', dealerId)]))
        .execute(),
      db
        .selectFrom('deals')
        .selectAll()
        .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
        .execute(),
      db
        .selectFrom('messages')
        .select(['chatId', 'content', 'attachmentUrl', 'createdAt'])
        .where('senderId', '=', dealerId)
        .orderBy('createdAt')
        .execute(),
      db.selectFrom('savedSearches').select(['search', 'sort', 'createdAt']).where('dealerId', '=', dealerId).execute(),
      db.selectFrom('watches').select(['postId', 'createdAt']).where('dealerId', '=', dealerId).execute(),
      db
        .selectFrom('notifications')
        .select(['kind', 'title', 'body', 'path', 'createdAt', 'readAt'])
        .where('dealerId', '=', dealerId)
        .execute(),
    ])
  return {
    account,
    posts,
    vehicles,
    comments,
    reactions,
    connections,
    requests,
    deals,
    messages,
    savedSearches: searches,
    watchlist: watches,
    notifications: notices,
  }
}
