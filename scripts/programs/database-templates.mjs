import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER } from '../run/build.mjs'
import { Fault } from '../console.mjs'
import { endChild } from './processes.mjs'
import { root } from '../root.mjs'

const pollMs = 100
const waitForJobsMs = 120_000 * Number(process.env['TEST_PATIENCE'] ?? 1)

/** @param {string} url @param {string} name */
export function databaseNamed(url, name) {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

/** @template T @param {string} url @param {(client: import('pg').Client) => Promise<T>} work @returns {Promise<T>} */
async function withClient(url, work) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** @param {string} url @param {string} statement */
export const execute = (url, statement) => withClient(url, (client) => client.query(statement))

/** Creates a migrated, empty database for tests to clone. @param {string} url @returns {Promise<string>} the name of the database */
export async function makeTemplate(url, name = 'template_empty') {
  const { tsImport } = await import('tsx/esm/api')
  await execute(url, `drop database if exists ${name}`)
  await execute(url, `create database ${name}`)
  const { migrateToLatest } = await tsImport('../../server/db/migrate.ts', import.meta.url)
  await migrateToLatest(databaseNamed(url, name))
  return name
}

/** Starts the built server on a free port and resolves once it is ready. @param {Record<string, string>} env @param {string[]} nodeArgs */
export async function startProduct(env, nodeArgs = []) {
  const child = spawn(process.execPath, [...nodeArgs, ...SERVER], {
    cwd: root,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', DEMO: 'on', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  /** @type {Promise<string>} */
  const ready = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /ready at (http\S+)/.exec(line)?.[1]
      if (url) resolve(url)
      if (line.includes('"level":50')) process.stderr.write(line + '\n')
    })
    void once(child, 'exit').then(([code]) => reject(new Fault(`The server ended with ${code} before it was ready.`)))
  })
  return { child, url: await ready }
}

/** Resolves when no outbox job is due. @param {string} url of the database */
export async function waitForJobs(url) {
  const end = Date.now() + waitForJobsMs
  await withClient(url, async (client) => {
    const open = () => client.query('select name from outbox where run_at <= now() limit 1')
    for (let [job] = (await open()).rows; job; [job] = (await open()).rows) {
      if (Date.now() > end) throw new Fault(`The demo's ${job.name} was not done within ${waitForJobsMs / 1_000} s.`)
      await pause(pollMs)
    }
  })
}

/** Creates the demo network that browser tests clone. @param {{ databaseUrl: string, redisUrl: string }} services @param {string} folder */
export async function makeDemoTemplate({ databaseUrl, redisUrl }, folder) {
  const name = await makeTemplate(databaseUrl, 'template_demo')
  const env = {
    DATABASE_URL: databaseNamed(databaseUrl, name),
    REDIS_URL: redisUrl,
    REDIS_PREFIX: 'demo',
    DEMO_DIRECTOR: 'off',
    DATA_DIR: join(folder, 'demo'),
  }
  const { child } = await startProduct(env)
  try {
    await waitForJobs(env.DATABASE_URL)
  } finally {
    await endChild(child, 'SIGTERM')
  }
  return name
}
