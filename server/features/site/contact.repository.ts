import { sql } from 'kysely'
import type { ContactEntry, ContactMessage, ContactState } from '#shared/schemas/site.ts'
import { nameOrEmail } from '#server/features/audit/staff-name.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

/** Returns the sender's last message. Locks the sender, so that the limit also applies to concurrent messages. */
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

export async function insertMessage(
  tx: Tx,
  message: Omit<ContactMessage, 'website'>,
  dealerId: string | undefined,
): Promise<string> {
  const { id } = await tx
    .insertInto('contactMessages')
    .values({
      name: message.name,
      email: message.email,
      company: message.company ?? '',
      dealershipType: message.dealershipType ?? null,
      topic: message.topic ?? 'general',
      message: message.message,
      dealerId: dealerId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findMessage(db: Db, id: string) {
  return db.selectFrom('contactMessages').selectAll().where('id', '=', id).executeTakeFirst()
}

const select = (db: Db) =>
  db
    .selectFrom('contactMessages as message')
    .leftJoin('dealers as handler', 'handler.id', 'message.handledBy')
    .leftJoin('dealers as writer', 'writer.id', 'message.dealerId')
    .selectAll('message')
    .select('writer.name as writerName')
    .select(nameOrEmail('handler').as('handlerName'))
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('entitlementGrants')
            .select('entitlementGrants.dealerId')
            .whereRef('entitlementGrants.dealerId', '=', 'message.dealerId')
            .where('entitlement', '=', 'apiAccess'),
        )
        .as('apiAccess'),
    ])

async function withAnswers(db: Db, rows: Row[]): Promise<ContactEntry[]> {
  if (rows.length === 0) return []
  const answers = await db
    .selectFrom('contactAnswers')
    .leftJoin('dealers as author', 'author.id', 'contactAnswers.sentBy')
    .select(['contactAnswers.id', 'contactAnswers.messageId', 'contactAnswers.content', 'contactAnswers.createdAt'])
    .select(nameOrEmail('author').as('sentBy'))
    .where(
      'contactAnswers.messageId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('contactAnswers.createdAt')
    .execute()
  return rows.map((row) => ({
    ...toEntry(row),
    answers: answers
      .filter(({ messageId }) => messageId === row.id)
      .map(({ id, content, sentBy, createdAt }) => ({
        id,
        content,
        sentBy: sentBy ?? '',
        createdAt: createdAt.toISOString(),
      })),
  }))
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

function toEntry(row: Row): Omit<ContactEntry, 'answers'> {
  const { id, name, email, company, dealershipType, topic, message } = row
  return {
    id,
    name,
    email,
    company,
    dealershipType,
    topic,
    message,
    createdAt: row.createdAt.toISOString(),
    handledAt: row.handledAt?.toISOString() ?? null,
    handledBy: row.handlerName ?? '',
    dealer:
      row.dealerId === null
        ? null
        : { id: row.dealerId, name: row.writerName ?? '', apiAccess: row.apiAccess === true },
  }
}

export async function listMessages(
  db: Db,
  { state, limit, before }: { state: ContactState; limit: number; before: string | undefined },
): Promise<ContactEntry[]> {
  let query = select(db).where('message.handledAt', state === 'waiting' ? 'is' : 'is not', null)
  if (before !== undefined) query = query.where('message.id', '<', before)
  const rows = await query
    .orderBy('message.id', 'desc')
    .limit(limit + 1)
    .execute()
  return withAnswers(db, rows)
}

export async function findEntry(db: Db, id: string): Promise<ContactEntry | undefined> {
  const row = await select(db).where('message.id', '=', id).executeTakeFirst()
  return row && (await withAnswers(db, [row]))[0]
}

export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('contactMessages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('handledAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function updateHandled(tx: Tx, id: string, handledBy: string | null): Promise<boolean> {
  const result = await tx
    .updateTable('contactMessages')
    .set({ handledBy, handledAt: handledBy === null ? null : sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('handledAt', handledBy === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function insertAnswer(
  tx: Tx,
  answer: { messageId: string; content: string; sentBy: string },
): Promise<string> {
  const { id } = await tx.insertInto('contactAnswers').values(answer).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function findAnswer(db: Db, id: string) {
  return db
    .selectFrom('contactAnswers')
    .innerJoin('contactMessages', 'contactMessages.id', 'contactAnswers.messageId')
    .select(['contactAnswers.content', 'contactMessages.email', 'contactMessages.name', 'contactMessages.message'])
    .select('contactMessages.createdAt')
    .where('contactAnswers.id', '=', id)
    .executeTakeFirst()
}

/** Removes the dealer's messages, including those sent from the dealer's confirmed address while signed out. Returns their ids. */
export async function removeMessagesOf(tx: Tx, dealerId: string, provenEmail: string | undefined): Promise<string[]> {
  const rows = await tx
    .deleteFrom('contactMessages')
    .where((eb) =>
      eb.or([
        eb('dealerId', '=', dealerId),
        ...(provenEmail === undefined ? [] : [eb.and([eb('email', '=', provenEmail), eb('dealerId', 'is', null)])]),
      ]),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function removeOldMessages(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx
    .selectFrom('contactMessages')
    .select('id')
    .where('handledAt', 'is not', null)
    .where('createdAt', '<', before)
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('contactMessages').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
