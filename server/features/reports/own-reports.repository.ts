import { sql } from 'kysely'
import type { ReportKind, ReportReason } from '#shared/moderation.ts'
import type { Tx } from '#server/platform/database/db.ts'

/** Inserts a report by the network itself. A subject has at most one open report of this kind, so a second one is ignored. */
export async function insertOwnReport(
  tx: Tx,
  {
    kind: subjectKind,
    ...report
  }: { kind: ReportKind; subjectId: string; authorId: string; reason: ReportReason; details: string },
): Promise<void> {
  await tx
    .insertInto('reports')
    .values({ ...report, subjectKind, reporterId: null })
    .onConflict((conflict) =>
      conflict
        .columns(['subjectKind', 'subjectId'])
        .where(sql<boolean>`reporter_id is null and decided_at is null`)
        .doNothing(),
    )
    .execute()
}
