import { sql, type Insertable, type Selectable } from 'kysely'
import type { AuditEntry, AuditQuery } from '#shared/schemas/audit.ts'
import type { AuditLog } from '#server/db/schema.ts'
import { nameOrEmail } from './staff-name.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { beginningWith, containing } from '#server/platform/database/like-patterns.ts'

export const auditPageSize = 50

/** Inserts an entry. If it lacks the actor's name, stores the actor's current name, or else the email address. */
export async function insertAudit(tx: Tx, entry: Insertable<AuditLog>): Promise<void> {
  const actorName = entry.actorName || (await findNameOrEmail(tx, entry.actorId))
  await tx
    .insertInto('auditLog')
    .values({ ...entry, actorName })
    .execute()
}

async function findNameOrEmail(tx: Tx, dealerId: string): Promise<string> {
  const query = tx.selectFrom('dealers').select(nameOrEmail('dealers').as('known')).where('id', '=', dealerId)
  return (await query.executeTakeFirst())?.known ?? ''
}

/** Lists entries older than the row `before`, newest first. Returns up to one entry more than fits on a page. */
export async function listAudit(
  db: Db,
  { q, action, from, to }: AuditQuery,
  before: string | undefined,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('auditLog').selectAll()
  if (action) {
    query = query.where((eb) => eb.or([eb('action', '=', action), eb('action', 'like', beginningWith(`${action}.`))]))
  }
  if (from) query = query.where('at', '>=', new Date(from))
  if (to) query = query.where('at', '<', new Date(to))
  if (q) {
    const like = containing(q)
    query = query.where((eb) =>
      eb.or((['actorName', 'subjectName', 'subjectId', 'reason'] as const).map((column) => eb(column, 'ilike', like))),
    )
  }
  if (before) query = query.where('id', '<', before)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(auditPageSize + 1)
    .execute()
  return rows.map(toEntry)
}

const toEntry = (row: Selectable<AuditLog>): AuditEntry => ({ ...row, at: row.at.toISOString() })

export async function listActsAbout(db: Db, subjectIds: string[], noun: string): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('auditLog')
    .selectAll()
    .where('subjectId', 'in', subjectIds)
    .where('action', 'like', beginningWith(`${noun}.`))
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toEntry)
}

/** Removes a deleted dealer's name and data from entries by or about the dealer. The table's trigger rejects every other change. */
export async function anonymizeInAudit(tx: Tx, dealerId: string, contactIds: string[], name: string): Promise<void> {
  await tx.updateTable('auditLog').set({ actorName: name }).where('actorId', '=', dealerId).execute()
  await sql`
    update audit_log set subject_name = ${name},
      before = case when subject_kind = 'user' then null else before end,
      after = case when subject_kind = 'user' then null else after - 'author' end
    where subject_id in (
      select unnest(${[dealerId, ...contactIds]}::text[])
      union all select id::text from posts where dealer_id = ${dealerId}
      union all select id::text from comments where dealer_id = ${dealerId}
      union all select id::text from messages where sender_id = ${dealerId}
      union all select id::text from deals where ${dealerId} in (seller_id, buyer_id))`.execute(tx)
}
