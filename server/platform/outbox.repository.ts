import { sql } from 'kysely'
import type { DomainEvents, JobPayloads } from '#server/events.ts'
import { type Db, slices, type Tx } from './db.ts'
import { isId } from './ids.ts'

export interface JobOptions {
  /** When it may start; at once by default. */
  runAt?: Date
  /**
   * While a job of this name and key waits, another is not added; its `runAt` moves to the earlier of both. One that is under way
   * is done again afterwards: it may have read what was there before.
   */
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

/**
 * Ids in the order of the jobs. Where there is a job with the same unique key already, it is its id, and that job is due at the
 * earlier of both times. No two of one call share a key.
 */
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

/** All jobs of this name, also those that have failed. */
export async function removeJobsNamed(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('outbox').where('kind', '=', 'job').where('name', '=', name).execute()
}

/** Claims and removes events that a crash left behind. The caller publishes them before its transaction ends. */
export async function claimStrandedEvents(tx: Tx, olderThanMs: number, limit: number) {
  return tx
    .deleteFrom('outbox')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where('kind', '=', 'event')
        // An event never fails; said so that the index `outbox_due` can be used.
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

/** Marks due jobs as handed to the queue; those handed over long ago (Redis wiped) are handed over again. */
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

/** The queue did not take them: the next sweep tries again. */
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

/**
 * Notes that the job's mail is written, in the transaction that writes it. Answers whether an earlier run had; undefined where
 * another run has done the work.
 */
export async function prepareJob(tx: Tx, id: string): Promise<{ repeated: boolean } | undefined> {
  const { rows } = await sql<{ repeated: boolean }>`
    update outbox set prepared_at = coalesce(prepared_at, clock_timestamp()) where id = ${id}
    returning old.prepared_at is not null as repeated`.execute(tx)
  return rows[0]
}

/**
 * Takes the row away inside the handler's own transaction. False: another run has already done the work, or the job was asked for
 * again since `generation` was read, and waits to be run anew.
 */
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

/** It waits anew, under another id: to the queue, and to whoever was told the old one as a key, that one is done. */
async function renewJob(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ id: sql<string>`uuidv7()`, dispatchedAt: null, preparedAt: null, failedAt: null, lastError: null })
    .where('id', '=', id)
    .execute()
}

/** The job's tries are used up. False where there is nothing to give up: it is done, or was asked for again and waits anew. */
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

/** Those that have failed for good, the newest first. */
export async function listFailedJobs(db: Db, limit: number) {
  const failed = db
    .selectFrom('outbox')
    .select(['id', 'name'])
    .where('kind', '=', 'job')
    .where('failedAt', 'is not', null)
  return failed.orderBy('failedAt', 'desc').limit(limit).execute()
}

/** A retried job is no longer failed: the sweeper looks after it again. Ids of repeating work, which has no row, are passed over. */
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

/** Mails that wait or have failed, for an account that goes away. */
export async function removeMailsTo(tx: Tx, dealerId: string, email: string): Promise<void> {
  await sql`
    delete from outbox where kind = 'job' and name like 'mail.%'
      and (payload ->> 'dealerId' = ${dealerId} or lower(payload ->> 'to') = lower(${email}))`.execute(tx)
}

/** Jobs that failed before that moment, and that nobody has asked for again. */
export async function removeOldFailures(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from outbox where id in (select id from outbox where failed_at < ${before} limit ${limit} for update skip locked)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
