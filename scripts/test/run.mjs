import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { print } from '../console.mjs'
import { inRoot, root } from '../root.mjs'

/** @typedef {{ file: string, passed: number, failed: number, ms: number }} Ran the result of a test file */

const fileMs = 480_000 * Number(process.env['TEST_PATIENCE'] ?? 1)
/** Prefix of the line with tap's counts, which worker.mjs prints after each file. */
const DONE = '# done '
/** Counts for a file whose process died. */
const NONE = { pass: 0, fail: 0, skip: 0, todo: 0, passing: false }

/** False for passed assertions and other TAP bookkeeping. @param {string} line */
const isWorthPrinting = (line) =>
  line.trim() !== '' && !/^\s*(ok \d+ - |1\.\.\d+$|TAP version|# time=|# \{ total: )/.test(line)

/** Maps compiled positions to sources. Used only for failures, because Node's source maps slow down every run. @param {string} line */
const inSources = (line) =>
  line.replaceAll(/([^\s()'"]+\.mjs):(\d+):(\d+)/g, (place, path, row, column) => {
    const file = join(root, relative(root, path.replace(/^file:\/\//, '')))
    if (!existsSync(`${file}.map`)) return place
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    const found = map.findEntry(Number(row) - 1, Number(column) - 1)
    if (!('originalSource' in found)) return place
    return `${relative(root, join(dirname(file), found.originalSource))}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })

/** Prints the result of a file. @param {string} file @param {number} began @param {string[]} lines @returns {Ran} */
function report(file, began, lines, { pass, fail, skip, todo, passing } = NONE) {
  const failed = Math.max(fail, passing && pass + skip + todo > 0 ? 0 : 1)
  const ms = Date.now() - began
  print(`${failed ? '✗' : '✓'} ${file}  ${pass} assertions, ${(ms / 1_000).toFixed(1)}s`)
  if (skip > 0 || todo > 0) print(`skipped: ${skip}, to do: ${todo}`)
  if (failed) for (const line of lines.filter(isWorthPrinting)) print(inSources(line))
  return { file, passed: pass, failed, ms }
}

/** @param {() => string | undefined} next @param {(file: string) => string} compiledOf @param {Record<string, string>} env */
export async function runProcess(next, compiledOf, env) {
  const child = fork(inRoot('scripts', 'test', 'worker.mjs'), {
    cwd: root,
    // Hide Node's warning that mock timers are experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, NODE_ENV: 'test', TAP: '1', TEST_FILE_MS: String(fileMs), ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const closed = once(child, 'close')
  /** @type {Ran[]} */
  const ran = []
  /** @type {string[]} */
  let lines = []
  let [file, began] = [next(), Date.now()]
  // tap itself reports a file that times out. Kill the process if it is too stuck for that.
  const tooLong = setTimeout(() => child.kill('SIGKILL'), fileMs + 10_000)
  const send = () => child.send(file === undefined ? 'end' : { name: file, file: compiledOf(file) }, () => undefined)
  send()
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (file === undefined || !line.startsWith(DONE)) {
      lines.push(line)
      continue
    }
    ran.push(report(file, began, lines, JSON.parse(line.slice(DONE.length))))
    ;[file, began, lines] = [next(), Date.now(), []]
    tooLong.refresh()
    send()
  }
  const [code, signal] = await closed
  clearTimeout(tooLong)
  // A process that dies fails its current file. A process that exits with an error after its last file fails, too.
  if (file === undefined && code !== 0 && ran.every(({ failed }) => failed === 0)) file = `after ${ran.at(-1)?.file}`
  if (file !== undefined) ran.push(report(file, began, [...lines, `ended with ${code ?? signal}`]))
  return ran
}
