import { sql } from 'kysely'
import type { Retention, RetentionState } from '#shared/schemas/admin.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export async function findRetention(db: Db): Promise<RetentionState> {
  const { messageMonths, logMonths, ranAt, removed } = await db
    .selectFrom('retention')
    .selectAll()
    .executeTakeFirstOrThrow()
  return { messageMonths, logMonths, ranAt: ranAt?.toISOString() ?? null, removed }
}

export async function updateRetention(tx: Tx, wanted: Retention): Promise<void> {
  await tx.updateTable('retention').set(wanted).execute()
}

export async function recordRun(db: Db, removed: number): Promise<void> {
  await db
    .updateTable('retention')
    .set({ ranAt: sql<Date>`now()`, removed })
    .execute()
}
