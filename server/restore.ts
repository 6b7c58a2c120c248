import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { plural } from '#shared/format.ts'
import { exitWith, loadRestoreConfig } from './config/config.ts'
import { StartFault } from './errors.ts'
import { restoreArchive } from './features/admin/backups/backup-restore.ts'
import { fetchArchive, restoreUploads, restoreUploadsInBucket } from './features/admin/backups/backup-uploads.ts'
import { redactError } from './platform/database/db.ts'
import { openStorage } from './platform/storage/storage-open.ts'

type RestoreConfig = ReturnType<typeof loadRestoreConfig>

async function restoreFolder(config: RestoreConfig, folder: string) {
  const manifest = await restoreArchive(config.databaseUrl, folder)
  return { ...manifest, uploads: await restoreUploads(await openStorage(config), folder) }
}

/** Restores a backup from the bucket S3_BUCKET. `key` is the backup's key there. */
async function restoreFromBucket(config: RestoreConfig, key: string) {
  const storage = await openStorage(config)
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-restore-'))
  try {
    await fetchArchive(storage, key, folder)
    const manifest = await restoreArchive(config.databaseUrl, folder)
    return { ...manifest, uploads: await restoreUploadsInBucket(storage, key) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function restore(place: string) {
  const config = loadRestoreConfig()
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(place) ?? []
  if (key === undefined) return restoreFolder(config, resolve(place))
  if (config.s3?.bucket !== bucket) throw new StartFault(`Set S3_BUCKET to ${bucket}, where this backup is`)
  return restoreFromBucket(config, key)
}

/** Usage: `npm run restore -- BACKUP` or `node dist/server/restore.js BACKUP`. BACKUP is a folder or `s3://BUCKET/backups/NAME`. */
async function main(): Promise<void> {
  const [place, ...more] = process.argv.slice(2)
  if (place === undefined || more.length > 0) throw new StartFault('Pass exactly one backup folder')
  const { takenAt, tables, uploads } = await Promise.resolve(place)
    .then(restore)
    .catch((error: unknown) => {
      const told = redactError(error)
      throw error instanceof StartFault ? error : new StartFault(told instanceof Error ? told.message : String(told))
    })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(
    `Restored the backup of ${takenAt}: ${plural(tables.length, 'table')}, ${plural(rows, 'row')}, each checked against the backup.\n`,
  )
  if (uploads > 0) process.stdout.write(`${plural(uploads, 'dealer file')} restored as well.\n`)
}

main().catch(exitWith)
