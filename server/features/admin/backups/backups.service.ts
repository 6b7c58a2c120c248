import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { conflict, notFound } from '#server/errors.ts'
import { listStaff } from '#server/features/dealers/dealers.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { recordAct, type By } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx, redactError } from '#server/platform/database/db.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import { retryWhileDatabaseDown } from '#server/platform/database/database-retries.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { nextDailyBackup } from './backups-daily.service.ts'
import { isWhole, removeArchive, sizeOf, writeArchive } from './backup-archive.ts'
import { listBackupFaults } from './backup-needs.ts'
import { sweepScratch, verifyArchive } from './backup-restore.ts'
import { bucketKey, putArchive, saveUploads, saveUploadsInBucket } from './backup-uploads.ts'
import {
  type BackupEnd,
  dropOldFolders,
  findBackup,
  findLastVerified,
  finishBackup,
  insertBackup,
  listBackups,
  listWithoutFolder,
} from './backups.repository.ts'

const listedMax = 10
const reasonShown = 200

export async function readBackups(ctx: Context): Promise<Backups> {
  const [backups, nextAt] = await Promise.all([listBackups(ctx.db, listedMax), nextDailyBackup(ctx)])
  // Use the backup from the list if possible, so that `backups` and `lastVerified` show the same state.
  const lastVerified = backups.find(({ state }) => state === 'verified') ?? (await findLastVerified(ctx.db))
  return {
    backups,
    lastVerified: lastVerified ?? null,
    nextAt: nextAt?.toISOString() ?? null,
    late: nextAt !== null && nextAt <= ctx.now(),
    kept: ctx.config.backups.kept,
  }
}

/** @throws 409 if another backup is running */
export async function startBackup(ctx: Context, by: By): Promise<Backup> {
  try {
    const id = await ctx.transact(async (tx, emit) => {
      const backupId = await insertBackup(tx, by.actor.dealerId)
      await emit.job('backup.run', { backupId })
      await recordAct(tx, by, { action: 'backup.start', subject: { kind: 'backup', id: backupId, name: 'Backup' } })
      return backupId
    })
    const backup = await findBackup(ctx.db, id)
    if (backup === undefined) throw notFound('This backup')
    return backup
  } catch (error) {
    if (brokenConstraint(error) === 'backups_one_at_a_time') throw conflict('A backup is running')
    throw error
  }
}

/** Names such as `lanewire-2026-11-21T04-00-00-ab12cd34` sort by time and do not change when the job is retried. */
const nameOf = ({ id, startedAt }: Pick<Backup, 'id' | 'startedAt'>) =>
  `lanewire-${startedAt.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replaceAll(':', '-')}-${id.slice(-8)}`

const archiveName = /^lanewire-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{8}$/

/** Debian's path. If neither PG_DUMP nor this file exists, the bundled pg_dump is used, which is slower and suits only small databases. */
const installedPgDump = '/usr/lib/postgresql/18/bin/pg_dump'

const folderOf = (ctx: Context) => join(resolve(ctx.config.dataDir), 'backups')

const findFaults = async (ctx: Context): Promise<string[]> =>
  listBackupFaults(ctx.config.databaseUrl, folderOf(ctx), (await findLastVerified(ctx.db))?.sizeBytes ?? undefined)

/** Logs problems that would prevent backups. Runs at startup, so that admins learn about them before the first backup. */
export async function reportBackupFaults(ctx: Context): Promise<void> {
  try {
    for (const fault of await findFaults(ctx)) ctx.log.error(fault)
  } catch (error) {
    ctx.log.warn({ err: redactError(error) }, 'could not check whether backups are possible')
  }
}

const bucketUrl = /^s3:\/\/[^/]+\//

/** Stores the archive in the backup folder or in the bucket, and the uploads if configured. Returns the folder or an `s3://` URL. */
async function storeArchive({ config, storage }: Context, folder: string, stopping: AbortSignal): Promise<string> {
  const { inBucket, uploads } = config.backups
  if (!inBucket) {
    if (uploads) await saveUploads(storage, folder, stopping)
    return folder
  }
  const key = bucketKey(basename(folder))
  await storage.removeObject(key)
  if (uploads) await saveUploadsInBucket(storage, key, stopping)
  await putArchive(storage, folder, key)
  await removeArchive(folder)
  return `s3://${config.s3?.bucket}/${key}`
}

const removeKept = ({ storage }: Context, place: string): Promise<void> =>
  bucketUrl.test(place) ? storage.removeObject(place.replace(bucketUrl, '')) : removeArchive(place)

async function makeBackup(ctx: Context, folder: string, stopping: AbortSignal) {
  const { databaseUrl, backups } = ctx.config
  const pgDump = backups.pgDump ?? (existsSync(installedPgDump) ? installedPgDump : undefined)
  try {
    const faults = await findFaults(ctx)
    if (faults.length > 0) throw new Error(faults.join('. '))
    await removeArchive(folder)
    await writeArchive(databaseUrl, folder, { pgDump, signal: stopping })
    const { tables } = await verifyArchive(databaseUrl, folder, stopping)
    const rowCount = tables.reduce((sum, { rows }) => sum + rows, 0)
    const sizeBytes = await sizeOf(folder)
    return { state: 'verified', folder: await storeArchive(ctx, folder, stopping), sizeBytes, rowCount } as const
  } catch (failure) {
    const error = redactError(failure)
    // Ignore errors of the cleanup: their cause is probably the same, and the original error is reported below.
    await removeArchive(folder).catch(() => undefined)
    if (backups.inBucket) await ctx.storage.removeObject(bucketKey(basename(folder))).catch(() => undefined)
    stopping.throwIfAborted()
    ctx.log.error({ err: error }, 'the backup failed')
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) } as const
  }
}

/** A failed backup is retried only if it failed because this process is stopping. */
export async function runBackup(ctx: Context, backupId: string, run: JobRun): Promise<void> {
  const backup = await findBackup(ctx.db, backupId)
  if (backup?.state !== 'running') return
  const end = await makeBackup(ctx, join(folderOf(ctx), nameOf(backup)), run.stopping)
  let old: string[] = []
  const recordEnd = () =>
    run.complete(async (tx, emit) => {
      await endBackup(tx, emit, backupId, end)
      old = await dropOldFolders(tx, ctx.config.backups.kept)
    })
  // Wait for PostgreSQL however long it takes. The outage may be why the backup failed, so a new attempt would not help.
  await retryWhileDatabaseDown(recordEnd, { signal: run.stopping, log: ctx.log, what: 'how the backup ended' })
  await Promise.all(old.map((place) => removeKept(ctx, place)))
}

/** Notifies admins of a failed backup, because nobody checks the list every day. */
async function endBackup(tx: Tx, emit: Emit, backupId: string, end: BackupEnd): Promise<void> {
  if (!(await finishBackup(tx, backupId, end)) || end.state === 'verified') return
  const notice = {
    kind: 'queues',
    title: 'A backup failed',
    body: end.error.slice(0, reasonShown),
    path: '/admin',
    key: `backup:${backupId}`,
  } as const
  await notify(tx, emit, ...(await listStaff(tx, 'admin')).map((dealerId) => ({ ...notice, dealerId })))
}

/** Called after a backup's workers were killed repeatedly. Another backup can run afterwards. */
export const failBackup = (tx: Tx, emit: Emit, backupId: string, error: string): Promise<void> =>
  endBackup(tx, emit, backupId, { state: 'failed', error })

/** Removes the remains of killed backups. Keeps complete backups that this database does not list, because they may be needed. */
export async function sweepBackups(ctx: Context): Promise<void> {
  await sweepScratch(ctx.config.databaseUrl)
  const names = await readdir(folderOf(ctx)).catch(() => [])
  const without = names.length > 0 ? await listWithoutFolder(ctx.db) : []
  const state = new Map(without.map((row) => [nameOf(row), row.state]))
  for (const name of names.filter((one) => archiveName.test(one))) {
    const folder = join(folderOf(ctx), name)
    const known = state.get(name)
    if (known !== 'running' && (known !== undefined || !(await isWhole(folder)))) await removeArchive(folder)
  }
}
