/** `npm run restore -- FOLDER`: a backup made by "Backup Data" into an empty database, here or at DATABASE_URL. */
import { resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { Fault, run, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { inRoot } from './root.mjs'
import { startServices } from './services.mjs'
import { claimFolder, dataFolder } from './single.mjs'

run(async () => {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Fault('Say which backup: npm run restore -- .data/backups/lanewire-…')
  await ensureInstalled()
  await ensureBuilt()
  // A server that runs on this data would lose its database to ours.
  const release = claimFolder()
  const services = await startServices({ folder: dataFolder })
  try {
    const { restoreArchive } = await import(inRoot('dist', 'server', 'restore.js'))
    const { takenAt, tables } = await restoreArchive(services.databaseUrl, resolve(folder))
    const rows = tables.reduce(
      (/** @type {number} */ sum, /** @type {{ rows: number }} */ table) => sum + table.rows,
      0,
    )
    say(`Restored the backup of ${takenAt}: ${tables.length} tables, ${rows} rows, each compared with what was saved.`)
    return 0
  } catch (error) {
    throw new Fault(error instanceof Error ? error.message : String(error))
  } finally {
    await services.stop()
    release()
  }
})
