import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import { inRoot } from '../root.mjs'

/** File with the duration of each test file in milliseconds on two cores. `npm test -- --record` writes it. */
const RECORDED = inRoot('tests', 'durations.json')

/** Kinds of test files, slowest first. `together`: files per process. `share`: processes per worker, fewer if tests start processes. */
const KINDS = [
  { of: /^tests.e2e/, together: 4, share: 0.67 },
  { of: /^tests.live/, together: 1, share: 0.5 },
  { of: /^tests.(client|server|shared).*\.ts$/, together: 10, share: 1 },
  { of: /\.tsx$/, together: 20, share: 1 },
]
const bytesPerWorker = 1024 ** 3

/** Returns one and a half workers per core, because server tests spend half their time waiting. Low memory reduces the number. */
export const workersFor = (cores = availableParallelism(), memory = freemem()) =>
  Math.max(1, Math.min(cores + Math.ceil(cores / 2), Math.floor(memory / bytesPerWorker)))

/** @type {Record<string, number>} */
const known = JSON.parse(readFileSync(RECORDED, 'utf8'))
/** Returns the recorded duration of a file. Uses the file's size if it has never run. @param {string} file */
const durationOf = (file) => known[file] ?? statSync(inRoot(file)).size
const longestFirst = (/** @type {string[]} */ files) => files.toSorted((a, b) => durationOf(b) - durationOf(a))

/** Saves the durations of the files that passed. @param {{ file: string, ms: number, failed: number }[]} ran */
export function record(ran) {
  for (const { file, ms, failed } of ran) if (failed === 0) known[file] = ms
  const files = Object.keys(known).filter((file) => existsSync(inRoot(file)))
  writeFileSync(RECORDED, `${JSON.stringify(known, files.toSorted(), 2)}\n`)
}

/** Returns the files of a shard, counted from 1. All shards take about the same time. @param {string[]} files @param {number} shard */
export function shardOf(files, shard, shards = 1) {
  const times = Array.from({ length: shards }, () => 0)
  return longestFirst(files).filter((file) => {
    const lightest = times.indexOf(Math.min(...times))
    times[lightest] = (times[lightest] ?? 0) + durationOf(file)
    return lightest === shard - 1
  })
}

/**
 * Runs all files. Each worker takes files of the slowest kind that has files left and a free slot.
 * @param {string[]} files @param {number} workers
 * @param {(next: () => string | undefined) => Promise<void>} runBatch runs the files that `next` returns in a single process
 */
export async function runBatches(files, workers, runBatch) {
  const kinds = KINDS.map(({ of, share, together }) => {
    const waiting = longestFirst(files).filter((file) => of.test(file))
    return { waiting, together, free: Math.max(1, Math.floor(workers * share)) }
  })
  const take = () => kinds.find(({ waiting, free }) => waiting.length > 0 && free > 0)
  const work = async () => {
    for (let kind = take(); kind !== undefined; kind = take()) {
      const { waiting } = kind
      let left = kind.together
      kind.free -= 1
      await runBatch(() => (left-- > 0 ? waiting.shift() : undefined))
      kind.free += 1
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

/** Estimates the run time in ms from recorded durations. @param {string[]} files @param {number} workers */
export async function plan(files, workers) {
  const clock = { ms: 0, isOver: false }
  const ended = runBatches(files, workers, async (next) => {
    for (let file = next(); file !== undefined; file = next()) {
      const end = clock.ms + durationOf(file)
      while (clock.ms < end) await turn()
    }
  })
  void ended.then(() => (clock.isOver = true))
  for (; !clock.isOver; clock.ms += 100) await turn()
  return clock.ms
}
