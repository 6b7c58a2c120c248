/** `npm run demo:remove`: takes the demo's accounts and all that is theirs out of the database here, or at DATABASE_URL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBuilt } from './build.mjs'
import { run } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { inRoot, root } from './root.mjs'
import { startServices } from './services.mjs'
import { claimFolder, dataFolder, sessionSecret } from './single.mjs'

run(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // A server that runs on this data would lose its database to ours.
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
