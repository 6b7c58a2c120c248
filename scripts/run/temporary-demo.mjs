import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { endChild } from '../programs/processes.mjs'
import { startServices } from '../programs/services.mjs'
import { startProduct, waitForJobs } from '../programs/database-templates.mjs'

/** Runs `work` on a temporary demo. @template T @param {string} name @param {(url: string) => Promise<T>} work @returns {Promise<T>} */
export async function withOwnDemo(name, work) {
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), `lanewire-${name}-`))
  chmodSync(folder, 0o755)
  const services = await startServices({ folder, throwAway: true })
  const { child, url } = await startProduct({
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: join(folder, 'data'),
    DEMO_DIRECTOR: 'off',
    RATE_LIMITS: 'off',
  })
  services.watch(child)
  try {
    await waitForJobs(services.databaseUrl)
    return await work(url)
  } finally {
    await endChild(child, 'SIGTERM')
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
