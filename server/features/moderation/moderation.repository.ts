import { sql } from 'kysely'
import type { ReportKind } from '#shared/moderation.ts'
import type { CaseReport, CaseState, NewReport } from '#shared/schemas/moderation.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export interface SubjectRef {
  kind: ReportKind
  id: string
}

export async function insertReport(tx: Tx, reporterId: string, authorId: string, report: NewReport): Promise<string> {
  const { id } = await tx
    .insertInto('reports')
    .values({
      reporterId,
      authorId,
      subjectKind: report.kind,
      subjectId: report.subjectId,
      reason: report.reason,
      details: report.details?.trim() ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns up to `limit` + 1 subjects. The subject with the newest report comes first. */
export async function listSubjects(
  db: Db,
  { state, limit, before }: { state: CaseState; limit: number; before: string | undefined },
): Promise<(SubjectRef & { newestId: string })[]> {
  const isOpen = state === 'open'
  const { rows } = await sql<SubjectRef & { newestId: string }>`
    select subject_kind as kind, subject_id as id, max(id::text) as newest_id from reports
    where ${isOpen ? sql`decided_at is null` : sql`true`}
    group by subject_kind, subject_id
    having ${isOpen ? sql`true` : sql`bool_and(decided_at is not null)`} and max(id::text) < ${before ?? 'g'}
    order by max(id::text) desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countSubjects(db: Db): Promise<{ open: number; decided: number }> {
  const { rows } = await sql<{ open: number; decided: number }>`
    select (count(*) filter (where waits))::int as open, (count(*) filter (where not waits))::int as decided
    from (select bool_or(decided_at is null) as waits from reports group by subject_kind, subject_id) subjects`.execute(
    db,
  )
  return rows[0] ?? { open: 0, decided: 0 }
}

export async function listReports(db: Db, subjectIds: string[]): Promise<(CaseReport & { subjectId: string })[]> {
  const rows = await db
    .selectFrom('reports')
    .leftJoin('dealers', 'dealers.id', 'reports.reporterId')
    .select(['reports.id', 'reports.subjectId', 'reports.reason', 'reports.details', 'reports.createdAt'])
    .select(['reports.decidedAt', 'reports.reporterId', 'dealers.name'])
    .where('reports.subjectId', 'in', subjectIds)
    .orderBy('reports.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    subjectId: row.subjectId,
    reporter: row.reporterId === null ? null : { id: row.reporterId, name: row.name ?? '' },
    reason: row.reason,
    details: row.details,
    createdAt: row.createdAt.toISOString(),
    decided: row.decidedAt !== null,
  }))
}

/** Locks a subject's reports, so that two admins cannot decide at once. */
export async function lockReports(tx: Tx, { kind, id }: SubjectRef): Promise<{ all: number; open: number }> {
  const rows = await tx
    .selectFrom('reports')
    .select('decidedAt')
    .where('subjectKind', '=', kind)
    .where('subjectId', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  return { all: rows.length, open: rows.filter(({ decidedAt }) => decidedAt === null).length }
}

export async function closeReports(tx: Tx, { kind, id }: SubjectRef): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ decidedAt: sql<Date>`clock_timestamp()` })
    .where('subjectKind', '=', kind)
    .where('subjectId', '=', id)
    .where('decidedAt', 'is', null)
    .execute()
}
