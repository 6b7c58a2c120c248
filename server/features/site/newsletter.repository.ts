import { sql } from 'kysely'
import type { MailingList } from '#shared/contact.ts'
import type { NewsletterSubscriber } from '#shared/schemas/site.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { hashSecret } from '#server/platform/secrets.ts'

const confirmDays = 7

/** Adds an address unless the list already contains it. Returns the subscriber's id if the address is not confirmed yet. */
export async function insertSubscriber(tx: Tx, list: MailingList, email: string): Promise<string | undefined> {
  const row = await tx
    .insertInto('listSubscribers')
    .values({ list, email })
    .onConflict((conflict) => conflict.columns(['list', 'email']).doUpdateSet({ list }))
    .returning(['id', 'confirmedAt'])
    .executeTakeFirstOrThrow()
  return row.confirmedAt === null ? row.id : undefined
}

export async function findSubscriber(db: Db, id: string) {
  return db.selectFrom('listSubscribers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores a new secret, which invalidates the previous link. @param repeated true for a retry, which must not replace a newer secret */
export async function updateConfirmSecret(tx: Tx, id: string, secret: string, repeated: boolean): Promise<boolean> {
  const confirmHash = hashSecret(secret)
  const result = await tx
    .updateTable('listSubscribers')
    .set({ confirmHash, confirmUntil: sql<Date>`now() + ${confirmDays} * interval '1 day'` })
    .where('id', '=', id)
    .$if(repeated, (query) => query.where('confirmHash', '=', confirmHash))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function updateConfirmed(db: Db, list: MailingList, secret: string): Promise<boolean> {
  const result = await db
    .updateTable('listSubscribers')
    .set({ confirmedAt: sql<Date>`coalesce(confirmed_at, now())` })
    .where('list', '=', list)
    .where('confirmHash', '=', hashSecret(secret))
    .where('confirmUntil', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function removeSubscriber(db: Db, list: MailingList, id: string): Promise<boolean> {
  const result = await db.deleteFrom('listSubscribers').where('list', '=', list).where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function listConfirmed(db: Db, list: MailingList) {
  return db
    .selectFrom('listSubscribers')
    .select(['id', 'email'])
    .where('list', '=', list)
    .where('confirmedAt', 'is not', null)
    .orderBy('id')
    .execute()
}

export async function listSubscribers(
  db: Db,
  list: MailingList,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<NewsletterSubscriber[]> {
  let query = db
    .selectFrom('listSubscribers')
    .select(['id', 'email', 'createdAt', 'confirmedAt'])
    .where('list', '=', list)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(({ createdAt, confirmedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
  }))
}

export async function countConfirmed(db: Db, list: MailingList): Promise<number> {
  const { count } = await db
    .selectFrom('listSubscribers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('list', '=', list)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function removeAddress(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('listSubscribers').where('email', '=', email).execute()
}
