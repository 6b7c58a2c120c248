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

/** What passed between the dealer and the network's staff. */
async function collectDealings(db: Db, dealerId: string) {
  const [granted, refunds, contactMessages] = await Promise.all([
    db.selectFrom('entitlementGrants').select(['entitlement', 'grantedAt']).where('dealerId', '=', dealerId).execute(),
    db
      .selectFrom('refunds')
      .select(['invoiceNumber', 'amountCents', 'createdAt', 'doneAt'])
      .where('dealerId', '=', dealerId)
      .execute(),
    db
      .selectFrom('contactMessages')
      .select(['name', 'email', 'company', 'topic', 'message', 'createdAt'])
      .where('dealerId', '=', dealerId)
      .execute(),
  ])
  return { granted, refunds, contactMessages }
}

/** Everything that is the dealer's own, table by table, without secrets and without what belongs to others. */
export async function collectData(db: Db, dealerId: string) {
  const dealer = await db.selectFrom('dealers').selectAll().where('id', '=', dealerId).executeTakeFirstOrThrow()
  const { passwordHash: _secret, rev: _rev, ...account } = dealer
  const [
    posts,
    vehicles,
    comments,
    reactions,
    connections,
    requests,
    deals,
    messages,
    searches,
    watches,
    notices,
    dealings,
  ] = await Promise.all([
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
    collectDealings(db, dealerId),
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
    ...dealings,
  }
}
