import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { endChild, startGuard } from './processes.mjs'
import { startPostgres } from './postgres.mjs'
import { startRedis } from './redis.mjs'

/**
 * @typedef {object} Services
 * @property {string} databaseUrl
 * @property {string} redisUrl
 * @property {(child: import('node:child_process').ChildProcess) => void} watch if this process dies, ends the child before the services
 * @property {() => Promise<void>} stop
 */

/**
 * Starts PostgreSQL unless DATABASE_URL is set, and Redis unless REDIS_URL is set. `throwAway` is faster but not durable. `profiled`
 * records statement times.
 * @param {{ folder: string, throwAway?: boolean, profiled?: boolean }} options @returns {Promise<Services>}
 */
export async function startServices({ folder, throwAway = false, profiled = false }) {
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true })
  const guard = startGuard()
  /** @type {{ child: import('node:child_process').ChildProcess, signal: 'INT' | 'TERM' }[]} */
  const started = []
  /** @template {{ child: import('node:child_process').ChildProcess }} T @param {T} running @param {'INT' | 'TERM'} signal */
  const keep = (running, signal) => {
    started.push({ child: running.child, signal })
    guard.watch(running.child, signal)
    return running
  }
  const stop = async () => {
    await Promise.all(started.map(({ child, signal }) => endChild(child, `SIG${signal}`)))
    await guard.release()
  }
  const { DATABASE_URL, REDIS_URL } = process.env
  const options = (/** @type {string} */ name) => ({ folder, throwAway, profiled, log: join(logs, `${name}.log`) })
  const settled = await Promise.allSettled([
    DATABASE_URL ? { url: DATABASE_URL } : startPostgres(options('postgres')).then((running) => keep(running, 'INT')),
    REDIS_URL ? { url: REDIS_URL } : startRedis(options('redis')).then((running) => keep(running, 'TERM')),
  ])
  const [postgres, redis] = settled
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await stop()
    throw postgres.status === 'rejected' ? postgres.reason : redis.status === 'rejected' && redis.reason
  }
  const watch = (/** @type {import('node:child_process').ChildProcess} */ child) => guard.watch(child, 'TERM')
  return { databaseUrl: postgres.value.url, redisUrl: redis.value.url, watch, stop }
}
