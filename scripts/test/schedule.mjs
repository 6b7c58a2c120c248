import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { inRoot } from '../root.mjs'

/** @typedef {'browser' | 'live' | 'server' | 'client'} Kind */

/** Duration of each file in milliseconds on two cores: committed, and measured on this machine. */
const RECORDED = inRoot('tests', 'durations.json')
const MEASURED = inRoot('.data', 'test-durations.json')
const gib = 1024 ** 3

/**
 * By kind, longest first. `together`: files per process; `share`: processes per worker; `memory`: GiB per process. Browser and
 * live tests start more processes, so fewer run in parallel.
 * @type {Record<Kind, { together: number, share: number, memory: number }>}
 */
const KINDS = {
  browser: { together: 4, share: 0.67, memory: 1.5 },
  live: { together: 1, share: 0.5, memory: 1 },
  server: { together: 10, share: 1, memory: 0.6 },
  client: { together: 20, share: 1, memory: 0.6 },
}

/** @param {string} file @returns {Kind} */
function kindOf(file) {
  if (file.startsWith('tests/e2e/')) return 'browser'
  if (file.startsWith('tests/live/')) return 'live'
  return /^tests\/client\/.*\.tsx$/.test(file) ? 'client' : 'server'
}

/** One worker per core plus half as many again, because server tests spend half their time waiting. */
export const workersFor = (cores = availableParallelism(), memory = freemem() / gib) =>
  Math.max(1, Math.min(cores + Math.ceil(cores / 2), Math.floor(memory / KINDS.server.memory)))

/** @returns {Record<string, number>} */
const read = (/** @type {string} */ path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
const known = { ...read(RECORDED), ...read(MEASURED) }
/** Uses the file size for files that never ran. @param {string} file */
const durationOf = (file) => known[file] ?? statSync(inRoot(file)).size
const longestFirst = (/** @type {string[]} */ files) => files.toSorted((a, b) => durationOf(b) - durationOf(a))

/** Stores durations; `record` also updates the committed list. @param {{ file: string, ms: number, failed: number }[]} ran */
export function remember(ran, record = false) {
  for (const { file, ms, failed } of ran) if (failed === 0) known[file] = ms
  const sorted = Object.fromEntries(
    Object.entries(known)
      .filter(([file]) => existsSync(inRoot(file)))
      .toSorted(),
  )
  writeFileSync(MEASURED, JSON.stringify(sorted))
  if (record) writeFileSync(RECORDED, `${JSON.stringify(sorted, null, 2)}\n`)
}

/**
 * Returns the files of a shard; all shards take about the same time.
 * @param {string[]} files @param {number} index from 1 @param {number} count
 */
export function shardOf(files, index, count) {
  const times = Array.from({ length: count }, () => 0)
  return longestFirst(files).filter((file) => {
    const lightest = times.indexOf(Math.min(...times))
    times[lightest] = (times[lightest] ?? 0) + durationOf(file)
    return lightest === index - 1
  })
}

/**
 * Assigns files to workers. Of the kinds with a free slot, the slowest kind goes first.
 * @param {string[]} files @param {number} workers @param {number} memory in GiB
 */
export function createQueue(files, workers, memory = freemem() / gib) {
  /** @type {Record<Kind, string[]>} */
  const waiting = { browser: [], live: [], server: [], client: [] }
  for (const file of longestFirst(files)) waiting[kindOf(file)].push(file)
  /** @type {Record<Kind, number>} */
  const running = { browser: 0, live: 0, server: 0, client: 0 }
  const hasPlace = (/** @type {Kind} */ kind) => {
    const { share, memory: each } = KINDS[kind]
    return running[kind] < Math.max(1, Math.min(Math.floor(workers * share), Math.floor(memory / each)))
  }
  /** Returns the next batch for a new process; undefined if no kind has a free slot and files. */
  return () => {
    const kinds = /** @type {Kind[]} */ (Object.keys(KINDS)).filter((kind) => waiting[kind].length > 0)
    const kind = kinds.find(hasPlace)
    if (kind === undefined) return undefined
    running[kind] += 1
    let left = KINDS[kind].together
    const next = () => (left-- > 0 ? waiting[kind].shift() : undefined)
    return { next, done: () => void (running[kind] -= 1) }
  }
}

/** Estimates the run time in milliseconds on this many cores from recorded durations. @param {string[]} files @param {number} cores */
export function plan(files, cores) {
  const workers = workersFor(cores, cores * 2)
  const takeBatch = createQueue(files, workers, cores * 2)
  /** @type {{ at: number, batch: NonNullable<ReturnType<typeof takeBatch>> }[]} */
  const busy = []
  for (let now = 0; ;) {
    while (busy.length < workers) {
      const batch = takeBatch()
      if (batch === undefined) break
      busy.push({ at: now, batch })
    }
    const [first] = busy.toSorted((a, b) => a.at - b.at)
    if (first === undefined) return { workers, ms: now }
    now = first.at
    const file = first.batch.next()
    if (file !== undefined) first.at += durationOf(file)
    else {
      busy.splice(busy.indexOf(first), 1)
      first.batch.done()
    }
  }
}
