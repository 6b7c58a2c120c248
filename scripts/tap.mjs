import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { say } from './console.mjs'
import { root } from './root.mjs'

/** @typedef {{ passed: number, failed: number }} Totals assertions */

const fileSeconds = 240
/** tap says itself what took too long; a process that is beyond saying so is ended a little later. */
const killAfterMs = (fileSeconds + 10) * 1_000

/** What tap counted at the end of a file; undefined where it did not come so far. @param {string[]} lines */
function totalsOf(lines) {
  const counts = lines.map((line) => /^# \{ (total: .*) \}$/.exec(line)?.[1]).findLast((found) => found !== undefined)
  return counts && Object.fromEntries(counts.split(', ').map((pair) => pair.split(': ')))
}

/** Of a failed file: without the assertions that passed and what counts them. @param {string} line */
const isTelling = (line) =>
  line.trim() !== '' && !/^\s*(ok \d+ - |1\.\.\d+$|TAP version|# time=|# \{ total: )/.test(line)

/**
 * Runs one test file in a process of its own and prints how it went.
 *
 * Not by tap's own runner: it hooks into every module that a test loads, and into every server that a test starts, to know
 * what is covered. That took longer than the tests.
 * @param {string} file @param {import('./test-build.mjs').TestBuild} tests @param {Record<string, string>} env
 * @returns {Promise<Totals>}
 */
async function runFile(file, tests, env) {
  const began = Date.now()
  const child = spawn(process.execPath, ['--enable-source-maps', tests.compiledOf(file)], {
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
  const { pass = 0, fail = 0, skip, todo } = totalsOf(lines) ?? {}
  // A file that died before its summary, or after it, has failed, whatever it printed.
  const failed = Math.max(Number(fail), code === 0 && Number(pass) > 0 ? 0 : 1)
  say(`${failed ? '✗' : '✓'} ${file}  ${pass} assertions, ${((Date.now() - began) / 1_000).toFixed(1)}s`)
  if (skip || todo) say(`skipped: ${skip ?? 0}, to do: ${todo ?? 0}`)
  if (failed) for (const line of lines.filter(isTelling)) say(line)
  if (failed && code !== 0) say(`ended with ${code ?? signal}`)
  return { passed: Number(pass), failed }
}

/**
 * Runs test files, `jobs` of them at a time.
 * @param {string[]} files @param {import('./test-build.mjs').TestBuild} tests @param {Record<string, string>} env
 * @param {{ jobs: number }} options @returns {Promise<Totals>}
 */
export async function runTests(files, tests, env, { jobs }) {
  const waiting = [...files]
  const totals = { passed: 0, failed: 0 }
  const worker = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const { passed, failed } = await runFile(file, tests, env)
      totals.passed += passed
      totals.failed += failed
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return totals
}
