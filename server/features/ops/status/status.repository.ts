import { sql } from 'kysely'
import type { ServiceState, StatusServiceKey } from '#shared/schemas/ops.ts'
import type { Db, Tx } from '#server/platform/db.ts'

/** What one probe of a service found. */
export interface ProbeResult {
  service: StatusServiceKey
  state: Exclude<ServiceState, 'unknown'>
  /** Whole milliseconds; null where it failed. */
  latencyMs: number | null
}

/** Reads through the feed's index; how many there are does not matter. */
export async function countPosts(db: Db): Promise<void> {
  await db.selectFrom('posts').select('id').orderBy('id', 'desc').limit(1).execute()
}

/** Seconds the oldest background job has been due; 0 when none waits. */
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

/** The last known states. Until commit nobody else records: two at once would both announce the same change. */
export async function lockStates(tx: Tx) {
  await sql`lock table service_states in share row exclusive mode`.execute(tx)
  return listStates(tx)
}

/** Notes the state as of now; `since` moves only when the state does. */
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

/** Adds one sample to the count of its day. Degraded is slow but working, and counts as good. */
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

/** The recorded days of the last `days` days, today included. */
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
