/**
 * Runs compiled test files one by one, as the parent sends them. Each becomes a tap test, followed by a line with its counts.
 * Files share imported modules: loading the server takes longer than most files run.
 */
import asyncHooks from 'node:async_hooks'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

// tap tracks every promise and socket to attribute uncaught errors, which costs a tenth of the time. Only one file runs here at a
// time, so the errors belong to it.
const inert = { enable: () => inert, disable: () => inert }
asyncHooks.createHook = () => inert
syncBuiltinESMExports()
const { default: tap } = await import('tap')

/** @type {import('tap').Test} */
let current = tap
/** @type {(() => unknown)[]} */
const ends = []

/**
 * tap's `t` of the current file. Compiled tests import this module instead of tap. `afterAllFiles` is for
 * tests/support/last-file.ts: tap ends its root early once that has a teardown.
 */
const ofFile = new Proxy(tap, {
  get(_tap, name) {
    if (name === 'afterAllFiles') return (/** @type {() => unknown} */ end) => ends.push(end)
    const value = Reflect.get(current, name, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
})
export default ofFile
export const test = (/** @type {Parameters<typeof tap.test>} */ ...about) => ofFile.test(...about)

/** Not awaited at the top level, because test files import this module and would wait for it. */
async function runFiles() {
  // tap unrefs the IPC channel, so without a timer this process would exit between two files.
  const alive = setInterval(() => {}, 60_000)
  const leave = () => process.exit(1)
  process.once('disconnect', leave)
  process.on('uncaughtException', (error) => void current.threw(error))
  // Each server a file starts adds an exit listener.
  process.setMaxListeners(0)
  tap.setTimeout(0)
  for (;;) {
    /** @type {({ name: string, file: string } | 'end')[]} */
    const [next = 'end'] = await once(process, 'message')
    if (next === 'end') break
    await tap.test(next.name, { timeout: Number(process.env['TEST_FILE_MS']) }, async (t) => {
      current = t
      await import(pathToFileURL(next.file).href)
    })
    // Bypasses tap, which delays output between two tests. Parsed by run.mjs.
    process.stdout.write(`# done ${JSON.stringify({ ...current.counts, passing: current.passing() })}\n`)
  }
  for (const end of ends) await end()
  clearInterval(alive)
  process.off('disconnect', leave)
  process.disconnect()
}

void runFiles()
