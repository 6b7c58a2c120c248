import { type RawBuilder, sql } from 'kysely'
import type { Backup } from '#shared/schemas/admin.ts'
import { nameOrEmail } from '#server/features/audit/staff-name.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

const select = (db: Db) =>
  db
    .selectFrom('backups')
    .leftJoin('dealers', 'dealers.id', 'backups.requestedBy')
    .selectAll('backups')
    .select(nameOrEmail('dealers').as('requester'))
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toBackup = (row: Row): Backup => ({
  id: row.id,
  state: row.state,
  requestedBy: row.requester ?? '',
  daily: row.scheduledFor !== null,
  startedAt: row.startedAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
  folder: row.folder,
  sizeBytes: row.sizeBytes,
  rows: row.rowCount,
  error: row.error,
})

/** @throws if another backup is running, by violating `backups_one_at_a_time` */
export async function insertBackup(tx: Tx, requestedBy: string): Promise<string> {
  const { id } = await tx.insertInto('backups').values({ requestedBy }).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns undefined if there already is a backup for `scheduledFor`, or another backup is running. */
export async function insertDailyBackup(tx: Tx, scheduledFor: Date): Promise<string | undefined> {
  const row = await tx
    .insertInto('backups')
    .values({ scheduledFor })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns the time that `told` selects from all backups. If it is null, returns when the database was created. */
async function momentOf(db: Db, told: RawBuilder<Date | null>): Promise<Date> {
  const { rows } = await sql<{ moment: Date }>`
    select coalesce((select ${told} from backups), (select min(timestamp)::timestamptz from kysely_migration)) as moment`.execute(
    db,
  )
  return rows[0]?.moment ?? new Date()
}

export const findDailySince = (db: Db): Promise<Date> => momentOf(db, sql`max(scheduled_for)`)

export const findVerifiedSince = (db: Db): Promise<Date> =>
  momentOf(db, sql`max(started_at) filter (where state = 'verified')`)

export async function isUnderWay(db: Db, since: Date): Promise<boolean> {
  const running = db.selectFrom('backups').select('id').where('state', '=', 'running').where('startedAt', '>', since)
  return (await running.executeTakeFirst()) !== undefined
}

export async function findBackup(db: Db, id: string): Promise<Backup | undefined> {
  const row = await select(db).where('backups.id', '=', id).executeTakeFirst()
  return row && toBackup(row)
}

export async function listBackups(db: Db, limit: number): Promise<Backup[]> {
  return (await select(db).orderBy('backups.id', 'desc').limit(limit).execute()).map(toBackup)
}

export async function findLastVerified(db: Db): Promise<Backup | undefined> {
  const row = await select(db)
    .where('backups.state', '=', 'verified')
    .orderBy('backups.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toBackup(row)
}

export async function listWithoutFolder(db: Db) {
  const rows = await db.selectFrom('backups').select(['id', 'startedAt', 'state']).where('folder', 'is', null).execute()
  return rows.map((row) => ({ ...row, startedAt: row.startedAt.toISOString() }))
}

export type BackupEnd =
  | { state: 'verified'; folder: string; sizeBytes: number; rowCount: number }
  | { state: 'failed'; error: string }

export async function finishBackup(tx: Tx, id: string, end: BackupEnd): Promise<boolean> {
  const result = await tx
    .updateTable('backups')
    .set({ ...end, finishedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function removeRunning(tx: Tx): Promise<void> {
  await tx.deleteFrom('backups').where('state', '=', 'running').execute()
}

export async function dropOldFolders(tx: Tx, kept: number): Promise<string[]> {
  const rows = await tx
    .updateTable('backups')
    .from(
      tx
        .selectFrom('backups')
        .select(['id', 'folder'])
        .where('folder', 'is not', null)
        .orderBy('id', 'desc')
        .offset(kept)
        .as('old'),
    )
    .set({ folder: null })
    .whereRef('backups.id', '=', 'old.id')
    .returning('old.folder')
    .execute()
  return rows.flatMap(({ folder }) => folder ?? [])
}
