import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { inRoot } from '../root.mjs'

/** @typedef {'browser' | 'live' | 'server' | 'client'} Kind */

/** How long each file takes, in milliseconds on two cores: as committed, and as this machine has measured since. */
const RECORDED = inRoot('tests', 'durations.json')
const MEASURED = inRoot('.data', 'test-durations.json')
const gib = 1024 ** 3

/**
 * By kind, the longest first: files that may share a process, processes at once for each worker, and memory of one in GiB.
 * Browser and live files also start processes of their own, so fewer of them run side by side.
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

/** One worker for each core and one more for every two: tests of a server wait for it half the time. */
export const workersFor = (cores = availableParallelism(), memory = freemem() / gib) =>
  Math.max(1, Math.min(cores + Math.ceil(cores / 2), Math.floor(memory / KINDS.server.memory)))

/** @returns {Record<string, number>} */
const read = (/** @type {string} */ path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
const known = { ...read(RECORDED), ...read(MEASURED) }
/** Of a file that never ran, its size stands in. @param {string} file */
const durationOf = (file) => known[file] ?? statSync(inRoot(file)).size
const longestFirst = (/** @type {string[]} */ files) => files.toSorted((a, b) => durationOf(b) - durationOf(a))

/** Remembers how long files took. `record` also writes the list that is committed. @param {{ file: string, ms: number, failed: number }[]} ran */
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

/** The files of a shard; all shards take about the same time. @param {string[]} files @param {number} index from 1 @param {number} count */
export function shardOf(files, index, count) {
  const times = Array.from({ length: count }, () => 0)
  return longestFirst(files).filter((file) => {
    const lightest = times.indexOf(Math.min(...times))
    times[lightest] = (times[lightest] ?? 0) + durationOf(file)
    return lightest === index - 1
  })
}

/**
 * Deals files to workers: of the kinds that have a place free, the one whose files take longest goes first.
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
  /** A batch to start a process for, with what gives it its files; undefined where no kind has a place and files. */
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

/** How long these files take on so many cores, in milliseconds, by the durations recorded: no test runs. @param {string[]} files @param {number} cores */
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
