import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { say } from './console.mjs'
import { inRoot, root } from './root.mjs'

/** @typedef {{ passed: number, failed: number }} Totals assertions */

const fileSeconds = 480
/** How long each file took the last time, in milliseconds. */
const timesFile = inRoot('node_modules', '.cache', 'test-times.json')
/** tap says itself what took too long; a process that is beyond saying so is ended a little later. */
const killAfterMs = (fileSeconds + 10) * 1_000

const isCounts = (/** @type {string} */ line) => /^# \{ total: .* \}$/.test(line)

/**
 * What tap counted at the end of a file, where it came so far. `left` says what was not tried.
 * @param {string[]} lines @param {boolean} endedWell
 */
function countsOf(lines, endedWell) {
  const counts = lines.map((line) => /^# \{ (total: .*) \}$/.exec(line)?.[1]).findLast((found) => found !== undefined)
  /** @type {Record<string, string | undefined>} */
  const found = Object.fromEntries((counts ?? '').split(', ').map((pair) => pair.split(': ')))
  const { pass = '0', fail = '0', skip, todo } = found
  const passed = Number(pass)
  const failed = Math.max(Number(fail), endedWell && passed > 0 ? 0 : 1)
  return { passed, failed, left: skip || todo ? `skipped: ${skip ?? 0}, to do: ${todo ?? 0}` : '' }
}

/** Of a failed file: without the assertions that passed and what counts them. @param {string} line */
const isTelling = (line) =>
  line.trim() !== '' && !/^\s*(ok \d+ - |1\.\.\d+$|TAP version|# time=|# \{ total: )/.test(line)

/**
 * A line of a failure with the places in sources that it came from. Read here, of what failed: Node reads the map of every
 * module that it loads, which is a quarter of what a process needs before its first test.
 * @param {string} line
 */
const inSources = (line) =>
  line.replaceAll(/([^\s()'"]+\.mjs):(\d+):(\d+)/g, (place, path, row, column) => {
    const file = join(root, relative(root, path.replace(/^file:\/\//, '')))
    if (!existsSync(`${file}.map`)) return place
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    const { originalSource, originalLine, originalColumn } = {
      originalSource: undefined,
      originalLine: 0,
      originalColumn: 0,
      ...map.findEntry(Number(row) - 1, Number(column) - 1),
    }
    if (originalSource === undefined) return place
    return `${relative(root, join(dirname(file), originalSource))}:${originalLine + 1}:${originalColumn + 1}`
  })

/** @typedef {Totals & { file: string, ms: number }} Ran how one file went */

/**
 * Runs test files one after the other in a process of theirs (scripts/test-process.mjs), and prints how each went once it is done.
 *
 * Not by tap's own runner, whose hooks cost more than a tenth of the time: docs/adr/0008-tap-without-its-runner.md.
 * @param {string[]} files @param {import('./test-build.mjs').TestBuild} tests @param {Record<string, string>} env
 * @returns {Promise<Ran[]>}
 */
async function runFiles(files, tests, env) {
  const left = [...files]
  /** @type {Ran[]} */
  const ran = []
  /** @type {string[]} */
  let lines = []
  let began = Date.now()
  let endedWell = false
  const finish = (/** @type {boolean} */ well, /** @type {string} */ how) => {
    const [file = ''] = left.splice(0, 1)
    const { passed, failed, left: skipped } = countsOf(lines, well)
    say(`${failed ? '✗' : '✓'} ${file}  ${passed} assertions, ${((Date.now() - began) / 1_000).toFixed(1)}s`)
    if (skipped !== '') say(skipped)
    if (failed) for (const line of lines.filter(isTelling)) say(inSources(line))
    if (failed && how !== '') say(how)
    ran.push({ file, passed, failed, ms: Date.now() - began })
    lines = []
    began = Date.now()
  }
  const named = Object.fromEntries(files.map((file) => [file, tests.compiledOf(file)]))
  const { code, signal } = await runProcess(named, env, (line) => {
    lines.push(line)
    if (/^(not )?ok \d+ - /.test(line)) endedWell = line.startsWith('ok')
    if (left.length > 0 && isCounts(line)) finish(endedWell, '')
  })
  // A file that died before its summary has failed, whatever it printed, and so have those that were to come; one that died after it, too.
  while (left.length > 0) finish(false, `ended with ${code ?? signal}`)
  if (code !== 0 && ran.every(({ failed }) => failed === 0)) {
    say(`✗ ${files.join(' ')}: ended with ${code ?? signal}`)
    for (const line of lines.filter(isTelling)) say(inSources(line))
    ran.push({ file: '', passed: 0, failed: 1, ms: 0 })
  }
  return ran
}

/** @param {Record<string, string>} files compiled ones by their names @param {Record<string, string>} env @param {(line: string) => void} hear what they print */
async function runProcess(files, env, hear) {
  // Timers are mocked by Node's own, which says each time that it is new.
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', inRoot('scripts', 'test-process.mjs')],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        // The package for S3 names the Node.js that it will want: who runs a server hears of that, not who tests.
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
        TAP: '1',
        TAP_TIMEOUT: String(fileSeconds),
        ...env,
        TEST_FILES: JSON.stringify(files),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const closed = once(child, 'close')
  const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs * Object.keys(files).length)
  for await (const line of createInterface({ input: child.stdout })) hear(line)
  const [code, signal] = await closed
  clearTimeout(kill)
  return { code, signal }
}

/**
 * Files in the batches in which they share a process, no more than so many a batch and about the same time in each; the longest first, so that
 * none is alone at the end. By its size where a file never ran.
 * @param {string[]} files @param {number} together @returns {string[][]}
 */
function batchesOf(files, together) {
  /** @type {Record<string, number>} */
  const times = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
  const weight = (/** @type {string} */ file) => times[file] ?? statSync(inRoot(file)).size
  const batches = Array.from({ length: Math.ceil(files.length / together) }, () => ({
    files: /** @type {string[]} */ ([]),
    weight: 0,
  }))
  for (const file of files.toSorted((a, b) => weight(b) - weight(a))) {
    const open = batches.filter((batch) => batch.files.length < together)
    const lightest = open.toSorted((a, b) => a.weight - b.weight)[0]
    lightest?.files.push(file)
    if (lightest) lightest.weight += weight(file)
  }
  return batches.toSorted((a, b) => b.weight - a.weight).map((batch) => batch.files)
}

/** @param {Record<string, number>} times */
function rememberTimes(times) {
  mkdirSync(dirname(timesFile), { recursive: true })
  const known = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
  writeFileSync(timesFile, JSON.stringify({ ...known, ...times }))
}

/** Lets so many in at a time: those of the lowest rank first, of one rank in the order in which they came. @param {number} free */
function createDoor(free) {
  /** @type {{ rank: number, open: () => void }[]} */
  const waiting = []
  return {
    enter: (/** @type {number} */ rank) =>
      free > 0
        ? Promise.resolve(void (free -= 1))
        : new Promise((resolve) => waiting.push({ rank, open: () => resolve(undefined) })),
    leave() {
      const [next] = waiting.toSorted((a, b) => a.rank - b.rank)
      if (next) waiting.splice(waiting.indexOf(next), 1)
      if (next) next.open()
      else free += 1
    },
  }
}

/**
 * Runs groups of test files side by side, so many processes at a time, of a group no more than its `most`, and each group from when
 * its environment is there; an earlier group goes before a later one. `together`: so many files of a group may share a process.
 * @param {{ files: string[], most: number, together: number, env: Promise<Record<string, string>> }[]} groups @param {number} atOnce
 * @param {import('./test-build.mjs').TestBuild} tests
 * @returns {Promise<Totals>}
 */
export async function runTests(groups, atOnce, tests) {
  const totals = { passed: 0, failed: 0 }
  /** @type {Record<string, number>} */
  const times = {}
  const door = createDoor(atOnce)
  const runGroup = (
    /** @type {(typeof groups)[number]} */ { files, most, together, env },
    /** @type {number} */ rank,
  ) => {
    const waiting = batchesOf(files, together)
    const worker = async () => {
      const environment = await env
      for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
        await door.enter(rank)
        for (const { file, passed, failed, ms } of await runFiles(batch, tests, environment)) {
          if (file !== '') times[file] = ms
          totals.passed += passed
          totals.failed += failed
        }
        door.leave()
      }
    }
    return Array.from({ length: most }, worker)
  }
  await Promise.all(groups.flatMap(runGroup))
  rememberTimes(times)
  return totals
}
