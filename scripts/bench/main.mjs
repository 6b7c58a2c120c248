/** `npm run bench` measures the built product. Profiling adds overhead, so compare profiled results only with each other. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { topFunctions, topStatements } from './profile.mjs'
import { ensureBuilt } from '../run/build.mjs'
import { findChromium } from '../programs/chromium.mjs'
import { Fault, run, print } from '../console.mjs'
import { cpuSeconds, processSeconds } from './cpu-time.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { endChild } from '../programs/processes.mjs'
import { requireRedis } from '../programs/redis.mjs'
import { inRoot } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { startProduct } from '../programs/database-templates.mjs'

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

const OPTIONS = /** @type {const} */ ({
  seconds: { type: 'string' },
  messages: { type: 'string' },
  faults: { type: 'string' },
  posts: { type: 'string' },
  rate: { type: 'string' },
  profile: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
})

const TOPICS = readdirSync(inRoot('bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .toSorted()

const USAGE = `npm run bench -- [TOPIC …] [--seconds N] [--messages N] [--faults N] [--posts N] [--rate N] [--profile]; topics: ${TOPICS.join(', ')}`

/** Parses the command line. @throws {Fault} with the usage text if an option is invalid */
function parseOptions() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new Fault(`${String(error instanceof Error ? error.message.split('.')[0] : error)}. ${USAGE}`)
  }
}

function readArguments() {
  const { values, positionals } = parseOptions()
  const unknown = positionals.filter((name) => !TOPICS.includes(name))
  if (unknown.length > 0) throw new Fault(`There is no topic ${unknown.join(', ')}. ${USAGE}`)
  const numberOf = (/** @type {'seconds' | 'messages' | 'faults' | 'posts' | 'rate'} */ name) => {
    const number = values[name] === undefined ? undefined : Number(values[name])
    if (number !== undefined && !(number > 0)) throw new Fault(`--${name} takes a number.`)
    return number
  }
  const much = {
    seconds: numberOf('seconds'),
    messages: numberOf('messages'),
    faults: numberOf('faults'),
    posts: numberOf('posts'),
    rate: numberOf('rate'),
  }
  const chosen = TOPICS.filter((name) => positionals.length === 0 || positionals.includes(name))
  return { chosen, help: values.help, profile: values.profile, much }
}

/** @param {import('../../bench/support/bench.ts').BenchModule} topic @param {import('../../bench/support/bench.ts').BenchEnv} env */
async function measureTopic({ name, run: measure }, env) {
  print(`\n${name}`)
  const began = Date.now()
  print(table(await measure(env)))
  print(
    `${Math.round((Date.now() - began) / 1_000)} s; load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  )
}

run(async () => {
  const { chosen, help, profile, much } = readArguments()
  if (help) return print(USAGE)
  requireRedis()
  await ensureInstalled()
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'lanewire-bench-'))
  chmodSync(folder, 0o755)
  // Use durable settings, as in production. Without fsync, the results would be too good.
  const services = await startServices({ folder, profiled: profile })
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  const endNodes = () => Promise.all(children.splice(0).map((child) => endChild(child, 'SIGTERM')))
  const common = {
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: join(folder, 'data'),
    DEMO_DIRECTOR: 'off',
    RATE_LIMITS: 'off',
  }
  const profiles = join(folder, 'profiles')
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []
  const startNode = async (/** @type {Record<string, string>} */ env = {}) => {
    const { child, url } = await startProduct({ ...common, ...env }, profiling)
    services.watch(child)
    children.push(child)
    return { url, pid: Number(child.pid), stop: () => endChild(child, 'SIGTERM') }
  }
  try {
    const { tsImport } = await import('tsx/esm/api')
    print(
      `${availableParallelism()} cores, Node ${process.version}, ${NODES} server processes, PostgreSQL and Redis on the same machine`,
    )
    /** @type {import('../../bench/support/bench.ts').BenchModule[]} */
    const modules = []
    for (const topic of chosen) modules.push(await tsImport(`../../bench/${topic}.ts`, import.meta.url))
    for (const { prepare } of modules) Object.assign(common, await prepare?.())
    const nodes = []
    while (nodes.length < NODES) nodes.push((await startNode()).url)
    const pids = () => children.map((child) => Number(child.pid))
    const { databaseUrl, redisUrl } = services
    const env = {
      nodes,
      databaseUrl,
      redisUrl,
      chromium: findChromium,
      cpu: () => cpuSeconds(folder, pids()),
      processSeconds,
      startNode,
      ...much,
    }
    for (const topic of modules) await measureTopic(topic, env)
    if (profile) print(`\n${table(await topStatements(services.databaseUrl))}`)
    await endNodes()
    if (profile) print(`\n${table(topFunctions(profiles))}`)
  } finally {
    await endNodes()
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
