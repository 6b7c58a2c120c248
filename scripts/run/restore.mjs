/** `npm run restore -- FOLDER` restores a backup (a folder or an s3:// URL) into an empty database, local or at DATABASE_URL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { Fault, run } from '../console.mjs'
import { ensureInstalled } from './install.mjs'
import { inRoot, root } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { claimFolder, dataFolder } from './claim-folder.mjs'

run(async () => {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Fault('Say which backup: npm run restore -- .data/backups/lanewire-…')
  await ensureInstalled()
  await ensureBuilt()
  // Fail while a server uses the data folder, because starting our own PostgreSQL would stop the server's PostgreSQL.
  const release = claimFolder()
  const services = await startServices({ folder: dataFolder })
  try {
    const program = [
      '--enable-source-maps',
      inRoot('dist', 'server', 'restore.js'),
      folder.startsWith('s3://') ? folder : resolve(folder),
    ]
    const server = spawn(process.execPath, program, {
      cwd: root,
      env: { ...process.env, DATABASE_URL: services.databaseUrl },
      stdio: 'inherit',
    })
    const [code] = await once(server, 'exit')
    return code ?? 1
  } finally {
    await services.stop()
    release()
  }
})
