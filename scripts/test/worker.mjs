/**
 * Runs compiled test files one by one, as the parent sends them. Each becomes a tap test, followed by a line with its counts.
 * Files share imported modules: loading the server takes longer than most files run.
 */
import asyncHooks from 'node:async_hooks'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

const { createHook } = asyncHooks
const inert = { enable: () => inert, disable: () => inert }
// tap tracks every promise and socket to attribute uncaught errors, which costs a tenth of the time. Only one file runs here at a
// time, so the errors belong to it.
asyncHooks.createHook = () => inert
syncBuiltinESMExports()
const { default: tap } = await import('tap')
asyncHooks.createHook = createHook
syncBuiltinESMExports()

/** Prefix of the line after a file, with tap's counts. Parsed by run.mjs. */
const DONE = '# done '
const timeout = Number(process.env['TEST_FILE_MS'])
/** @type {import('tap').Test} */
let current = tap
/** @type {(() => unknown)[]} */
const ends = []

// tap unrefs the IPC channel, so without a timer this process would exit between two files.
const alive = setInterval(() => {}, 60_000)
const leave = () => process.exit(1)
process.once('disconnect', leave)
process.on('uncaughtException', (error) => void current.threw(error))
// Each server a file starts adds an exit listener.
process.setMaxListeners(0)
tap.setTimeout(0)

/**
 * Replaces tap's `t` in compiled test files with the one of the current file. `afterAllFiles` is for tests/support/last-file.ts.
 * @type {typeof tap}
 */
export const fileTest = new Proxy(tap, {
  get(_tap, name) {
    if (name === 'afterAllFiles') return (/** @type {() => unknown} */ end) => ends.push(end)
    const value = Reflect.get(current, name, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
})

/** Not awaited at the top level, because test files import this module and would wait for it. */
async function runFiles() {
  for (;;) {
    /** @type {({ name: string, file: string } | 'end')[]} */
    const [next = 'end'] = await once(process, 'message')
    if (next === 'end') break
    await tap.test(next.name, { timeout }, async (t) => {
      current = t
      await import(pathToFileURL(next.file).href)
    })
    // Bypasses tap, which delays output between two tests.
    process.stdout.write(`${DONE}${JSON.stringify({ ...current.counts, passing: current.passing() })}\n`)
  }
  for (const end of ends) await end()
  clearInterval(alive)
  process.off('disconnect', leave)
  process.disconnect()
}

void runFiles()
