import { sql } from 'kysely'
import type { ContactEntry, ContactMessage } from '#shared/schemas/contact.ts'
import type { Db, Tx } from '#server/platform/db.ts'

/** The sender's newest message, with its age. Locked per sender, so that two sendings at once cannot both be the first. */
export async function findLastMessage(tx: Tx, email: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(lower(${email}), 60))`.execute(tx)
  return tx
    .selectFrom('contactMessages')
    .select(['id', 'message', sql<number>`extract(epoch from now() - created_at)`.as('ageSeconds')])
    .where('email', '=', email)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Answers the new message's id. */
export async function insertMessage(tx: Tx, message: Omit<ContactMessage, 'website'>): Promise<string> {
  const { id } = await tx
    .insertInto('contactMessages')
    .values({
      name: message.name,
      email: message.email,
      company: message.company ?? '',
      dealershipType: message.dealershipType ?? null,
      topic: message.topic ?? 'general',
      message: message.message,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findMessage(db: Db, id: string) {
  return db.selectFrom('contactMessages').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Newest first. */
export async function listMessages(db: Db, limit: number): Promise<ContactEntry[]> {
  const rows = await db.selectFrom('contactMessages').selectAll().orderBy('createdAt', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    company: row.company,
    dealershipType: row.dealershipType,
    topic: row.topic,
    message: row.message,
    createdAt: row.createdAt.toISOString(),
  }))
}
