/**
 * `npm test [-- options] [-- files]` and `npm run test:full`; see docs/testing.md. Starts the services that the files need and
 * removes them afterwards.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault, run, say } from '../console.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { inRoot, root } from '../root.mjs'
import { createQueue, plan, remember, shardOf, workersFor } from './schedule.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    changed: { type: 'string' },
    shard: { type: 'string' },
    plan: { type: 'string' },
    watch: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
  // A bare `--changed` means since the last commit.
  args: process.argv.slice(2).map((word) => (word === '--changed' ? '--changed=HEAD' : word)),
})

const all = readdirSync(inRoot('tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => join('tests', name))
  .toSorted()

/** Returns the files of the tier, or the named ones. A file named explicitly runs in any tier. */
function chooseFiles() {
  const wanted = positionals.map((file) => relative(root, resolve(file)))
  const ofTier = all.filter((file) => options.full || !/\.full\.test\.tsx?$/.test(file))
  const below = (/** @type {string} */ one) => ofTier.filter((file) => file.startsWith(`${one}/`))
  const found = wanted.map((one) => (all.includes(one) ? [one] : below(one)))
  const unknown = wanted.filter((_one, index) => found[index]?.length === 0)
  if (unknown.length > 0) throw new Fault(`No test file is ${unknown.join(', ')}.`)
  return wanted.length === 0 ? ofTier : [...new Set(found.flat())]
}

/** Returns files that differ from a commit or are untracked. @param {string} ref */
function changedSince(ref) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  return [...git('diff', '--name-only', ref), ...git('ls-files', '--others', '--exclude-standard')]
}

function cpuSeconds() {
  const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'utf8') : ''
  const ticks = stat.split(') ')[1]?.split(' ').slice(11, 15) ?? []
  return ticks.reduce((sum, one) => sum + Number(one) / 100, 0)
}

const clock = (/** @type {number} */ ms) =>
  `${Math.floor(ms / 60_000)}:${String(Math.round(ms / 1_000) % 60).padStart(2, '0')}`

async function watchSources() {
  const args = [process.argv[1] ?? '', ...process.argv.slice(2).filter((word) => word !== '--watch')]
  for (;;) {
    await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
    say('Waiting for a change …')
    const ended = new AbortController()
    const about = { recursive: true, signal: ended.signal }
    await new Promise((changed) => {
      for (const folder of ['client', 'server', 'shared', 'tests']) watch(inRoot(folder), about, changed)
    })
    ended.abort()
  }
}

/** @param {string[]} files @param {import('./compile.mjs').Compiled} compiled @param {Record<string, string>} env */
async function runFiles(files, compiled, env) {
  const { runProcess } = await import('./run.mjs')
  const workers = workersFor()
  const takeBatch = createQueue(files, workers)
  /** @type {import('./run.mjs').Ran[]} */
  const ran = []
  const work = async () => {
    for (let batch = takeBatch(); batch !== undefined; batch = takeBatch()) {
      ran.push(...(await runProcess(batch.next, compiled.fileOf, env)))
      batch.done()
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  remember(ran, options.record)
  const slowest = ran.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
  const times = slowest.map(({ file, ms }) => `  ${(ms / 1_000).toFixed(1).padStart(6)}s ${file}`)
  if (ran.length > 10) say(['', 'Slowest:', ...times].join('\n'))
  return { ran, workers }
}

/** Compiles the tests and returns which files to run. @param {string[]} files */
async function compileChosen(files) {
  const [shard = 1, shards = 1] = options.shard?.split('/').map(Number) ?? []
  if (!(shard >= 1 && shard <= shards)) throw new Fault('--shard wants a part of a whole, as in --shard=1/4.')
  const ofShard = shards > 1 ? shardOf(files, shard, shards) : files
  // Loaded on demand: `--plan` and invalid options need no compiler.
  const { compileTests } = await import('./compile.mjs')
  const compiled = await compileTests(ofShard, all)
  if (options.changed === undefined) return { files: ofShard, compiled }
  const changed = changedSince(options.changed)
  return { files: ofShard.filter((file) => changed.some((one) => compiled.reachedBy(file).has(one))), compiled }
}

run(async () => {
  await ensureInstalled()
  if (options.watch) return watchSources()
  const began = Date.now()
  if (options.plan !== undefined) {
    const { ms, workers } = plan(chooseFiles(), Number(options.plan))
    say(`On ${options.plan} cores: ${clock(ms)} with ${workers} workers`)
    return 0
  }
  const { files, compiled } = await compileChosen(chooseFiles())
  if (files.length === 0) return say('No test file imports what has changed.') ?? 0
  const imports = (/** @type {string} */ support) =>
    files.some((file) => compiled.reachedBy(file).has(`tests/support/${support}.ts`))
  const { environment, stop } = imports('services')
    ? await (await import('./databases.mjs')).prepareServices(['browser', 'product', 'demo'].some(imports))
    : { environment: {}, stop: async () => {} }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void stop().then(() => process.exit(130)))
  try {
    const { PROPERTY_RUNS = options.full ? '500' : '25' } = process.env
    const { ran, workers } = await runFiles(files, compiled, {
      TEST_BUILD: compiled.folder,
      PROPERTY_RUNS,
      ...environment,
    })
    await stop()
    say(
      `\n${ran.length} files in ${clock(Date.now() - began)} by ${workers} workers, ${Math.round(cpuSeconds())} CPU seconds`,
    )
    const sum = (/** @type {'passed' | 'failed'} */ name) => ran.reduce((total, one) => total + one[name], 0)
    say(`${sum('passed')} passed, ${sum('failed')} failed`)
    return sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
  } finally {
    await stop()
  }
})
