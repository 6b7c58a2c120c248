import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { say } from './console.mjs'
import { inRoot, root } from './root.mjs'

/** @typedef {{ passed: number, failed: number }} Totals assertions */

/**
 * Reads a TAP stream as it comes: one line per file, and what a failed file said apart from its passed assertions.
 * @param {import('node:stream').Readable} stream @param {import('./test-build.mjs').TestBuild} tests @returns {Promise<Totals>}
 */
async function report(stream, tests) {
  const totals = { passed: 0, failed: 0 }
  /** @type {string[]} */
  let block = []
  let counted = false
  for await (const line of createInterface({ input: stream })) {
    const result = /^(not )?ok \d+ - (.*?)(?: # time=(.*))?$/.exec(line)
    const total = /^# \{ (total: .*) \}$/.exec(line)?.[1]
    if (total) {
      const counts = Object.fromEntries(total.split(', ').map((pair) => pair.split(': ')))
      totals.passed += Number(counts.pass ?? 0)
      totals.failed += Number(counts.fail ?? 0)
      counted = true
      if (counts.skip || counts.todo) say(`skipped: ${counts.skip ?? 0}, to do: ${counts.todo ?? 0}`)
    } else if (result) {
      const [, failed, name = '', time = ''] = result
      const assertions = block.filter((text) => /^\s+(not )?ok \d+ - /.test(text) && !/# time=/.test(text)).length
      say(`${failed ? '✗' : '✓'} ${tests.sourceOf(name)}  ${failed ? '' : `${assertions} assertions, `}${time}`)
      if (failed)
        for (const text of block.filter((text) => !/^\s+ok \d+ - |^\s*1\.\.\d+$|^\s*$|^\s*# time=/.test(text)))
          say(text)
      block = []
    } else if (/^\s/.test(line) || /^#? ?Subtest/.test(line)) block.push(line)
    else if (!/^(TAP version|1\.\.|# (No coverage|time=|Subtest))/.test(line) && line.trim() !== '') say(line)
  }
  // A runner that died before its summary is a failure, whatever it printed.
  if (!counted) totals.failed += 1
  return totals
}

/**
 * Runs test files with tap, each in a process of its own.
 * @param {string[]} files @param {import('./test-build.mjs').TestBuild} tests @param {Record<string, string>} env
 * @param {{ jobs: number }} options @returns {Promise<Totals>}
 */
export async function runTap(files, tests, env, { jobs }) {
  if (files.length === 0) return { passed: 0, failed: 0 }
  const tap = inRoot('node_modules', 'tap', 'dist', 'esm', 'run.mjs')
  const child = spawn(
    process.execPath,
    [tap, 'run', '--reporter=tap', `--jobs=${jobs}`, ...files.map(tests.compiledOf)],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'test', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const closed = once(child, 'close')
  const totals = await report(child.stdout, tests)
  const [code] = await closed
  if (code !== 0 && totals.failed === 0) totals.failed = 1
  return totals
}
