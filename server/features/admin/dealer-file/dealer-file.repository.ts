import { sql } from 'kysely'
import type { DealerFile, FiledReport } from '#shared/schemas/admin.ts'
import { dealerFileRows } from '#shared/limits.ts'
import { nameOrEmail } from '#server/features/audit/staff-name.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

/** Lists the dealer's newest posts, including hidden and deleted posts. */
export async function listPostsOf(db: Db, dealerId: string): Promise<DealerFile['posts']> {
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'title', 'status', 'createdAt', 'hiddenAt', 'deletedAt'])
    .select(sql<number>`(select count(*)::int from vehicles where post_id = posts.id)`.as('vehicleCount'))
    .where('dealerId', '=', dealerId)
    .orderBy('id', 'desc')
    .limit(dealerFileRows)
    .execute()
  return rows.map(({ createdAt, hiddenAt, deletedAt, ...post }) => ({
    ...post,
    hidden: hiddenAt !== null,
    deleted: deletedAt !== null,
    createdAt: createdAt.toISOString(),
  }))
}

/** With `reporterId`, lists the reports that the dealer filed; with `authorId`, the reports about the dealer's content. */
export async function listFiledReports(
  db: Db,
  side: 'reporterId' | 'authorId',
  dealerId: string,
): Promise<FiledReport[]> {
  const rows = await db
    .selectFrom('reports')
    .leftJoin('dealers as reporter', 'reporter.id', 'reports.reporterId')
    .innerJoin('dealers as author', 'author.id', 'reports.authorId')
    .select(['reports.id', 'reports.subjectKind as kind', 'reports.subjectId', 'reports.reason', 'reports.details'])
    .select(['reports.createdAt', 'reports.decidedAt', 'reports.reporterId', 'reports.authorId'])
    .select(['reporter.name as reporterName', 'author.name as authorName'])
    .where(`reports.${side}`, '=', dealerId)
    .orderBy('reports.id', 'desc')
    .limit(dealerFileRows)
    .execute()
  return rows.map(({ reporterId, reporterName, authorId, authorName, createdAt, decidedAt, ...report }) => ({
    ...report,
    reporter: reporterId === null ? null : { id: reporterId, name: reporterName ?? '' },
    author: { id: authorId, name: authorName },
    createdAt: createdAt.toISOString(),
    decided: decidedAt !== null,
  }))
}

const notesShown = 200

export async function listNotes(db: Db, dealerId: string): Promise<DealerFile['notes']> {
  const rows = await db
    .selectFrom('dealerNotes')
    .innerJoin('dealers as author', 'author.id', 'dealerNotes.authorId')
    .select(['dealerNotes.id', 'dealerNotes.text', 'dealerNotes.createdAt', 'author.id as authorId'])
    .select(nameOrEmail('author').as('authorName'))
    .where('dealerNotes.dealerId', '=', dealerId)
    .orderBy('dealerNotes.id', 'desc')
    .limit(notesShown)
    .execute()
  return rows.map(({ id, text, createdAt, authorId, authorName }) => ({
    id,
    text,
    createdAt: createdAt.toISOString(),
    author: { id: authorId, name: authorName ?? '' },
  }))
}

export async function insertNote(tx: Tx, note: { dealerId: string; authorId: string; text: string }): Promise<string> {
  const { id } = await tx.insertInto('dealerNotes').values(note).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function removeNote(tx: Tx, dealerId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('dealerNotes')
    .where('dealerId', '=', dealerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function removeNotes(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('dealerNotes').where('dealerId', '=', dealerId).execute()
}
