/** `npm start` starts Lanewire from a fresh clone. Import only Node's own modules, because packages may not be installed yet. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBuilt, SERVER } from './build.mjs'
import { run } from '../console.mjs'
import { endChild, watchRunner } from '../programs/processes.mjs'
import { root } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { dataFolder, prepareRun, sessionSecret, wantedPort } from './claim-folder.mjs'

/** Five seconds longer than the server's own shutdown deadline. */
const SERVER_GRACE_MS = Number(process.env['SHUTDOWN_GRACE_MS'] || 30_000) + 5_000

/** @param {Pick<import('../programs/services.mjs').Services, 'databaseUrl' | 'redisUrl'>} services @param {number} port */
function serverEnvironment({ databaseUrl, redisUrl }, port) {
  const demo = process.env['NODE_ENV'] === 'production' ? 'off' : 'on'
  const own = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, SESSION_SECRET: sessionSecret(), PORT: String(port) }
  return { DEMO: demo, ...process.env, ...own }
}

run(async () => {
  const port = wantedPort()
  const release = await prepareRun(port)
  await ensureBuilt()
  let stopping = false
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server
  const stop = () => {
    if (stopping) server?.kill('SIGKILL')
    else if (server) void endChild(server, 'SIGTERM', SERVER_GRACE_MS)
    stopping = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  const unwatch = watchRunner(() => stopping || stop())
  const services = await startServices({ folder: dataFolder })
  try {
    if (stopping) return 0
    // Use a separate process group, so that Ctrl-C reaches only this script, which drains the server before it stops the services.
    server = spawn(process.execPath, SERVER, {
      cwd: root,
      env: serverEnvironment(services, port),
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    services.watch(server)
    const [code] = await once(server, 'exit')
    return stopping ? 0 : (code ?? 1)
  } finally {
    unwatch()
    await services.stop()
    release()
  }
})
