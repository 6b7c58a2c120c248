import { sql } from 'kysely'
import type { DomainEvents, JobPayloads } from '#server/events.ts'
import { type Db, slices, type Tx } from '../database/db.ts'
import { isId } from '../ids.ts'

export interface JobOptions {
  runAt?: Date
  /** Allows one queued job per name and key. If a job is added while it runs, it runs again, because it may have read stale data. */
  uniqueKey?: string
}

export async function insertEvent<N extends keyof DomainEvents>(
  tx: Tx,
  name: N,
  payload: DomainEvents[N],
): Promise<string> {
  const row = await tx
    .insertInto('outbox')
    .values({ kind: 'event', name, payload: JSON.stringify(payload) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export interface NewJob<N extends keyof JobPayloads> extends JobOptions {
  payload: JobPayloads[N]
}

/** Returns the jobs' ids in order. A job whose unique key is already queued keeps its id. Keys must be distinct within one call. */
export async function insertJobs<N extends keyof JobPayloads>(tx: Tx, name: N, jobs: NewJob<N>[]): Promise<string[]> {
  const ids: string[] = []
  for (const part of slices(jobs)) {
    const rows = await tx
      .insertInto('outbox')
      .values(
        part.map(({ payload, uniqueKey, runAt }) => ({
          kind: 'job' as const,
          name,
          payload: JSON.stringify(payload),
          uniqueKey: uniqueKey ?? null,
          ...(runAt !== undefined && { runAt }),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['name', 'uniqueKey'])
          .where('uniqueKey', 'is not', null)
          .doUpdateSet((eb) => ({
            runAt: eb.fn('least', ['outbox.runAt', 'excluded.runAt']),
            generation: eb('outbox.generation', '+', 1),
            dispatchedAt: null,
            failedAt: null,
          })),
      )
      .returning('id')
      .execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

export async function removeOutbox(db: Db, ids: string[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids}::uuid[])`.execute(db)
}

export async function removeJobsNamed(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('outbox').where('kind', '=', 'job').where('name', '=', name).execute()
}

/** Deletes and returns events that a crash left behind. The caller must publish them before its transaction ends. */
export async function claimStrandedEvents(tx: Tx, olderThanMs: number, limit: number) {
  return tx
    .deleteFrom('outbox')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where('kind', '=', 'event')
        // Event rows are never marked as failed. This condition lets PostgreSQL use the index `outbox_due`.
        .where('failedAt', 'is', null)
        .where('runAt', '<', sql<Date>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
        .orderBy('runAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'name', 'payload', 'runAt'])
    .execute()
}

/** Marks due jobs as dispatched and returns them. Includes jobs dispatched over `redispatchMs` ago, in case Redis lost its data. */
export async function claimDueJobs(db: Db, redispatchMs: number, limit: number) {
  return db
    .updateTable('outbox')
    .set({ dispatchedAt: sql<Date>`clock_timestamp()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where('kind', '=', 'job')
        .where('failedAt', 'is', null)
        .where('runAt', '<=', sql<Date>`clock_timestamp()`)
        .where((or) =>
          or.or([
            or('dispatchedAt', 'is', null),
            or('dispatchedAt', '<', sql<Date>`clock_timestamp() - ${redispatchMs} * interval '1 millisecond'`),
          ]),
        )
        .orderBy('runAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'name'])
    .execute()
}

export async function markWaiting(db: Db, ids: string[]): Promise<void> {
  await db.updateTable('outbox').set({ dispatchedAt: null }).where('id', 'in', ids).execute()
}

export async function markDispatched(db: Db, ids: string[]): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ dispatchedAt: sql<Date>`clock_timestamp()` })
    .where('id', 'in', ids)
    .execute()
}

export async function findJob(db: Db, id: string) {
  return db
    .selectFrom('outbox')
    .select(['id', 'name', 'payload', 'generation', 'failedAt', 'lastError'])
    .where('id', '=', id)
    .where('kind', '=', 'job')
    .executeTakeFirst()
}

/** Records that the job's email is being written. Returns undefined if the job is already finished. */
export async function prepareJob(tx: Tx, id: string): Promise<{ repeated: boolean } | undefined> {
  const { rows } = await sql<{ repeated: boolean }>`
    update outbox set prepared_at = coalesce(prepared_at, clock_timestamp()) where id = ${id}
    returning old.prepared_at is not null as repeated`.execute(tx)
  return rows[0]
}

/** Deletes the job. Returns false if another run has finished it, or if it was requested again and must therefore run again. */
export async function finishJob(tx: Tx, { id, generation }: { id: string; generation: number }): Promise<boolean> {
  const result = await tx
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (result.numDeletedRows === 1n) return true
  await renewJob(tx, id)
  return false
}

/** Reschedules a job under a new id, because the old id counts as finished in the queue and for idempotency keys. */
async function renewJob(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ id: sql<string>`uuidv7()`, dispatchedAt: null, preparedAt: null, failedAt: null, lastError: null })
    .where('id', '=', id)
    .execute()
}

/** Marks the job as failed. Returns false if it is already finished, or if it was requested again and must run again. */
export async function failJob(
  tx: Tx,
  { id, generation }: { id: string; generation: number },
  error: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('outbox')
    .set({ failedAt: sql<Date>`clock_timestamp()`, lastError: error.slice(0, 2_000) })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (result.numUpdatedRows === 1n) return true
  await renewJob(tx, id)
  return false
}

export async function listFailedJobs(db: Db, limit: number) {
  const failed = db
    .selectFrom('outbox')
    .select(['id', 'name'])
    .where('kind', '=', 'job')
    .where('failedAt', 'is not', null)
  return failed.orderBy('failedAt', 'desc').limit(limit).execute()
}

/** Lets failed jobs run again. Ignores the ids of recurring work, which has no row in the outbox. */
export async function clearFailure(db: Db, ids: string[]): Promise<void> {
  const uuids = ids.filter(isId)
  if (uuids.length === 0) return
  await db
    .updateTable('outbox')
    .set({ failedAt: null, lastError: null, dispatchedAt: sql<Date>`clock_timestamp()` })
    .where('id', 'in', uuids)
    .execute()
}

export async function removeJobs(db: Db, ids: string[]): Promise<void> {
  const uuids = ids.filter(isId)
  if (uuids.length > 0) await db.deleteFrom('outbox').where('id', 'in', uuids).where('kind', '=', 'job').execute()
}

export async function removeMailsTo(tx: Tx, dealerId: string, email: string): Promise<void> {
  await sql`
    delete from outbox where kind = 'job' and name like 'mail.%'
      and (payload ->> 'dealerId' = ${dealerId} or lower(payload ->> 'to') = lower(${email}))`.execute(tx)
}

export async function removeOldFailures(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from outbox where id in (select id from outbox where failed_at < ${before} limit ${limit} for update skip locked)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
