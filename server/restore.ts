import { resolve } from 'node:path'
import { plural } from '#shared/format.ts'
import { exitWith, loadDatabaseUrl } from './config.ts'
import { StartFault } from './errors.ts'
import { restoreArchive } from './features/admin/backups/backup-restore.ts'
import { withoutContents } from './platform/db.ts'

/** `npm run restore -- FOLDER`, and the same where only the build is: `node dist/server/restore.js FOLDER`. */
async function main(): Promise<void> {
  const [folder, ...more] = process.argv.slice(2)
  if (folder === undefined || more.length > 0) throw new StartFault('Say which backup, by its folder, and nothing else')
  const { takenAt, tables } = await restoreArchive(loadDatabaseUrl(), resolve(folder)).catch((error: unknown) => {
    const told = withoutContents(error)
    throw error instanceof StartFault ? error : new StartFault(told instanceof Error ? told.message : String(told))
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(
    `Restored the backup of ${takenAt}: ${plural(tables.length, 'table')}, ${plural(rows, 'row')}, each compared with what was saved.\n`,
  )
}

main().catch(exitWith)
