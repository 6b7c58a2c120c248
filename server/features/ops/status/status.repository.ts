import { sql } from 'kysely'
import type { ServiceState, StatusServiceKey } from '#shared/schemas/ops.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export interface ProbeResult {
  service: StatusServiceKey
  state: Exclude<ServiceState, 'unknown'>
  /** In whole milliseconds; null if the probe failed. */
  latencyMs: number | null
}

export async function countPosts(db: Db): Promise<void> {
  await db.selectFrom('posts').select('id').orderBy('id', 'desc').limit(1).execute()
}

/** Returns the age in seconds of the oldest due job, or 0 if no job is due. */
export async function findOldestDueJob(db: Db): Promise<number> {
  const row = await db
    .selectFrom('outbox')
    .select(sql<number | null>`extract(epoch from clock_timestamp() - min(run_at))`.as('seconds'))
    .where('kind', '=', 'job')
    .where('failedAt', 'is', null)
    .where('runAt', '<=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return row?.seconds ?? 0
}

export async function listStates(db: Db) {
  return db.selectFrom('serviceStates').selectAll().execute()
}

/** Locks the table, so that only one process announces a change. */
export async function lockStates(tx: Tx) {
  await sql`lock table service_states in share row exclusive mode`.execute(tx)
  return listStates(tx)
}

/** Stores a service's state. `since` changes only when the state changes. */
export async function upsertState(tx: Tx, { service, state, latencyMs }: ProbeResult): Promise<void> {
  const now = sql<Date>`now()`
  await tx
    .insertInto('serviceStates')
    .values({ service, state, latencyMs, checkedAt: now, since: now })
    .onConflict((conflict) =>
      conflict.column('service').doUpdateSet({
        state,
        latencyMs,
        checkedAt: now,
        since: sql<Date>`case when service_states.state = ${state} then service_states.since else now() end`,
      }),
    )
    .execute()
}

export async function addSample(tx: Tx, service: StatusServiceKey, good: boolean, at: Date): Promise<void> {
  await tx
    .insertInto('serviceDays')
    .values({ service, day: at.toISOString().slice(0, 10), samples: 1, good: good ? 1 : 0 })
    .onConflict((conflict) =>
      conflict.columns(['service', 'day']).doUpdateSet({
        samples: sql<number>`service_days.samples + 1`,
        good: sql<number>`service_days.good + ${good ? 1 : 0}`,
      }),
    )
    .execute()
}

export async function listDays(db: Db, days: number) {
  return db
    .selectFrom('serviceDays')
    .selectAll()
    .where('day', '>', sql<string>`(now() at time zone 'utc')::date - ${days}::int`)
    .execute()
}

export async function removeOldDays(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('serviceDays')
    .where('day', '<', sql<string>`(now() at time zone 'utc')::date - ${days}::int`)
    .execute()
}
