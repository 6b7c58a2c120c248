import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import { isId } from '#server/platform/ids.ts'

/** Rows that became due only recently are still being processed and do not count as late. */
const graceMs = 1_000

export async function findOutboxFigures(db: Db) {
  const { rows } = await sql<{ due: number; failed: number; oldestMs: number | null; liveAuctions: number }>`
    select count(*) filter (where failed_at is null and run_at < clock_timestamp() - ${graceMs} * interval '1 millisecond')::int as due,
           count(*) filter (where failed_at is not null)::int as failed,
           (extract(epoch from clock_timestamp() - min(run_at) filter (where failed_at is null and run_at < clock_timestamp() - ${graceMs} * interval '1 millisecond')) * 1000)::int as "oldestMs",
           (select count(*)::int from auctions where status = 'open' and now() between starts_at and ends_at) as "liveAuctions"
    from outbox`.execute(db)
  return rows[0] ?? { due: 0, failed: 0, oldestMs: null, liveAuctions: 0 }
}

export const isAnswering = (db: Db): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )

export async function listJobs(db: Db, ids: string[]) {
  const uuids = ids.filter(isId)
  if (uuids.length === 0) return []
  return db.selectFrom('outbox').select(['id', 'payload', 'createdAt', 'failedAt']).where('id', 'in', uuids).execute()
}
