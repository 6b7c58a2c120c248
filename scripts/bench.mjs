/** `npm run bench [-- topic … --seconds 60 --messages 1000000 --faults 200]`: starts the built product as several processes and measures it. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { Fault, run, say } from './console.mjs'
import { cpuSeconds, processSeconds } from './cpu.mjs'
import { ensureInstalled } from './install.mjs'
import { endChild } from './processes.mjs'
import { inRoot } from './root.mjs'
import { startServices } from './services.mjs'
import { startProduct } from './templates.mjs'

const NODES = 2

/** @param {Record<string, string | number>[]} rows */
function table(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name] ?? '').length)))
  const line = (/** @type {(string | number | undefined)[]} */ cells) =>
    cells
      .map((cell, index) =>
        typeof cell === 'number'
          ? String(cell).padStart(widths[index] ?? 0)
          : String(cell ?? '').padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(columns.map((name) => row[name]))),
  ].join('\n')
}

run(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { values, positionals: wanted } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string' }, messages: { type: 'string' }, faults: { type: 'string' } },
  })
  const numberOf = (/** @type {keyof typeof values} */ name) => {
    const number = values[name] === undefined ? undefined : Number(values[name])
    if (number !== undefined && !(number > 0)) throw new Fault(`--${name} takes a number.`)
    return number
  }
  const [seconds, messages, faults] = [numberOf('seconds'), numberOf('messages'), numberOf('faults')]
  const topics = readdirSync(inRoot('bench')).filter((file) => file.endsWith('.ts'))
  const chosen = topics.filter((file) => wanted.length === 0 || wanted.includes(file.replace(/\.ts$/, ''))).toSorted()
  const folder = mkdtempSync(join(tmpdir(), 'lanewire-bench-'))
  chmodSync(folder, 0o755)
  // Durable settings, as in production: a figure without fsync would be a different product's.
  const services = await startServices({ folder })
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  const common = {
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: join(folder, 'data'),
    RATE_LIMITS: 'off',
  }
  const startNode = async (/** @type {Record<string, string>} */ env = {}) => {
    const { child, url } = await startProduct({ ...common, ...env })
    services.watch(child)
    children.push(child)
    return { url, pid: Number(child.pid), stop: () => endChild(child, 'SIGTERM') }
  }
  try {
    const { tsImport } = await import('tsx/esm/api')
    say(
      `${availableParallelism()} cores, Node ${process.version}, ${NODES} server processes, PostgreSQL and Redis on the same machine`,
    )
    const nodes = []
    while (nodes.length < NODES) nodes.push((await startNode()).url)
    for (const file of chosen) {
      const { name, run: measure } = await tsImport(`../bench/${file}`, import.meta.url)
      say(`\n${name}`)
      const cpu = () =>
        cpuSeconds(
          folder,
          children.map((child) => Number(child.pid)),
        )
      const { databaseUrl, redisUrl } = services
      const env = {
        nodes,
        databaseUrl,
        redisUrl,
        chromium: findChromium,
        cpu,
        processSeconds,
        startNode,
        seconds,
        messages,
        faults,
      }
      const began = Date.now()
      say(table(await measure(env)))
      say(
        `${Math.round((Date.now() - began) / 1_000)} s; load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
      )
    }
  } finally {
    await Promise.all(children.map((child) => endChild(child, 'SIGTERM')))
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
