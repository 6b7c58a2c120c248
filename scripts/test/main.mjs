/** `npm test [-- options] [-- files]` and `npm run test:full` run the tests. docs/testing.md describes the options. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault, run, print } from '../console.mjs'
import { processSeconds } from '../bench/cpu-time.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { exec } from '../programs/processes.mjs'
import { inRoot, root } from '../root.mjs'
import { runProcess } from './run.mjs'
import { plan, record, runBatches, shardOf, workersFor } from './schedule.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    changed: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    plan: { type: 'string' },
    watch: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
  // `--changed` without a value means changes since the last commit.
  args: process.argv.slice(2).map((word) => (word === '--changed' ? '--changed=HEAD' : word)),
})

const all = readdirSync(inRoot('tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => join('tests', name))
  .toSorted()

/** Returns the test files to run. A file that is given by its full path runs even if its tier does not. */
function chooseFiles() {
  const ofTier = all.filter((file) => options.full || !/\.full\.test\.tsx?$/.test(file))
  const found = positionals.map((word) => {
    const path = relative(root, resolve(word))
    const files = all.includes(path) ? [path] : ofTier.filter((file) => file.startsWith(`${path}/`))
    if (files.length === 0) throw new Fault(`No test file is ${path}.`)
    return files
  })
  const [shard = 0, shards = 0] = options.shard.split('/').map(Number)
  if (!(shard >= 1 && shard <= shards)) throw new Fault('--shard needs a part and a total, as in --shard=1/4.')
  return shardOf(found.length === 0 ? ofTier : [...new Set(found.flat())], shard, shards)
}

/** Returns files that differ from a commit, and untracked files. @param {string} ref */
function changedSince(ref) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  return [...git('diff', '--name-only', ref), ...git('ls-files', '--others', '--exclude-standard')]
}

async function watchSources() {
  const args = process.argv.slice(1).filter((word) => word !== '--watch')
  for (;;) {
    await exec(process.execPath, args)
    print('Waiting for a change …')
    const folders = ['client', 'server', 'shared', 'tests'].map((name) => watch(inRoot(name), { recursive: true }))
    await Promise.race(folders.map((folder) => once(folder, 'change')))
    for (const folder of folders) folder.close()
  }
}

const seconds = (/** @type {number} */ ms) => `${(ms / 1_000).toFixed(1).padStart(6)}s`

/** @param {string[]} files @param {Awaited<ReturnType<typeof import('./compile.mjs').compileTests>>} compiled @param {number} workers */
async function runFiles(files, { folder, fileOf, reachedBy }, workers) {
  const imports = (/** @type {string} */ support) =>
    files.some((file) => reachedBy(file).has(`tests/support/${support}.ts`))
  const { environment, stop } = imports('services')
    ? await (
        await import('../programs/test-services.mjs')
      ).prepareServices(['browser', 'product', 'demo'].some(imports))
    : { environment: {}, stop: async () => {} }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void stop().then(() => process.exit(130)))
  const { PROPERTY_RUNS = options.full ? '500' : '25' } = process.env
  const env = { TEST_BUILD: folder, PROPERTY_RUNS, ...environment }
  /** @type {import('./run.mjs').Ran[]} */
  const ran = []
  try {
    await runBatches(files, workers, async (next) => void ran.push(...(await runProcess(next, fileOf, env))))
  } finally {
    await stop()
  }
  if (options.record) record(ran)
  const slowest = ran.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
  if (ran.length > 10) print(['', 'Slowest:', ...slowest.map(({ file, ms }) => `${seconds(ms)} ${file}`)].join('\n'))
  return ran
}

run(async () => {
  await ensureInstalled()
  if (options.watch) return watchSources()
  const chosen = chooseFiles()
  if (options.plan !== undefined) {
    const workers = workersFor(Number(options.plan), Infinity)
    return print(`On ${options.plan} cores: ${seconds(await plan(chosen, workers)).trim()} by ${workers} workers`)
  }
  // Set this before Vite sets `production`, which programs started later would inherit.
  process.env['NODE_ENV'] ??= 'test'
  // Load the compiler on demand, because `--plan` and invalid options do not need it.
  const compiled = await (await import('./compile.mjs')).compileTests(chosen)
  const changed = options.changed === undefined ? undefined : changedSince(options.changed)
  const files = chosen.filter((file) => changed?.some((one) => compiled.reachedBy(file).has(one)) ?? true)
  if (files.length === 0) return print('No test file imports what has changed.')
  const workers = workersFor()
  const ran = await runFiles(files, compiled, workers)
  const cpu = Math.round(processSeconds(process.pid))
  print(`\n${ran.length} files in ${seconds(performance.now()).trim()} by ${workers} workers, ${cpu} CPU seconds`)
  const sum = (/** @type {'passed' | 'failed'} */ name) => ran.reduce((total, one) => total + one[name], 0)
  print(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
})
