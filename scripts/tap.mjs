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

/**
 * Runs one test file in a process of its own and prints how it went.
 *
 * Not by tap's own runner, whose hooks cost more than a tenth of the time: docs/adr/0008-tap-without-its-runner.md.
 * @param {string} file @param {import('./test-build.mjs').TestBuild} tests @param {Record<string, string>} env
 * @returns {Promise<Totals>}
 */
async function runFile(file, tests, env) {
  const began = Date.now()
  const { lines, code, signal } = await runProcess(tests.compiledOf(file), env)
  // A file that died before its summary, or after it, has failed, whatever it printed.
  const { passed, failed, left } = countsOf(lines, code === 0)
  say(`${failed ? '✗' : '✓'} ${file}  ${passed} assertions, ${((Date.now() - began) / 1_000).toFixed(1)}s`)
  if (left !== '') say(left)
  if (failed) for (const line of lines.filter(isTelling)) say(inSources(line))
  if (failed && code !== 0) say(`ended with ${code ?? signal}`)
  return { passed, failed }
}

/** What a compiled test file prints, and how it ends. @param {string} program @param {Record<string, string>} env */
async function runProcess(program, env) {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', TAP: '1', TAP_TIMEOUT: String(fileSeconds), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  /** @type {string[]} */
  const lines = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  const [code, signal] = await closed
  clearTimeout(kill)
  return { lines, code, signal }
}

/** The longest first, so that none is alone at the end; by its size where it never ran. @param {string[]} files */
function longestFirst(files) {
  /** @type {Record<string, number>} */
  const times = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
  const weight = (/** @type {string} */ file) => times[file] ?? statSync(inRoot(file)).size
  return files.toSorted((a, b) => weight(b) - weight(a))
}

/** @param {Record<string, number>} times */
function rememberTimes(times) {
  mkdirSync(dirname(timesFile), { recursive: true })
  const known = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
  writeFileSync(timesFile, JSON.stringify({ ...known, ...times }))
}

/** Lets so many in at a time, in the order in which they came. @param {number} free */
function createDoor(free) {
  /** @type {(() => void)[]} */
  const waiting = []
  return {
    enter: () =>
      free > 0 ? Promise.resolve(void (free -= 1)) : new Promise((resolve) => waiting.push(() => resolve(undefined))),
    leave() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}

/**
 * Runs groups of test files side by side, so many files at a time, of a group no more than its `most`, and each group from when
 * its environment is there.
 * @param {{ files: string[], most: number, env: Promise<Record<string, string>> }[]} groups @param {number} atOnce
 * @param {import('./test-build.mjs').TestBuild} tests
 * @returns {Promise<Totals>}
 */
export async function runTests(groups, atOnce, tests) {
  const totals = { passed: 0, failed: 0 }
  /** @type {Record<string, number>} */
  const times = {}
  const door = createDoor(atOnce)
  const runGroup = (/** @type {(typeof groups)[number]} */ { files, most, env }) => {
    const waiting = longestFirst(files)
    const worker = async () => {
      const environment = await env
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        await door.enter()
        const began = Date.now()
        const { passed, failed } = await runFile(file, tests, environment)
        door.leave()
        times[file] = Date.now() - began
        totals.passed += passed
        totals.failed += failed
      }
    }
    return Array.from({ length: most }, worker)
  }
  await Promise.all(groups.flatMap(runGroup))
  rememberTimes(times)
  return totals
}
