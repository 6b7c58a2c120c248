/** `npm run demo:remove` deletes the demo accounts and their data from the local database or the one at DATABASE_URL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBuilt } from './build.mjs'
import { run } from '../console.mjs'
import { ensureInstalled } from './install.mjs'
import { inRoot, root } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { claimFolder, dataFolder, sessionSecret } from './claim-folder.mjs'

run(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // Fail while a server uses the data folder, because starting our own PostgreSQL would stop the server's PostgreSQL.
  const release = claimFolder()
  const { databaseUrl, redisUrl, watch, stop } = await startServices({ folder: dataFolder })
  try {
    const own = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, SESSION_SECRET: sessionSecret() }
    const program = spawn(process.execPath, ['--enable-source-maps', inRoot('dist', 'server', 'remove-demo.js')], {
      cwd: root,
      env: { ...process.env, ...own },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    watch(program)
    const [code] = await once(program, 'exit')
    return code ?? 1
  } finally {
    await stop()
    release()
  }
})
