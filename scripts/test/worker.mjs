/**
 * Runs compiled test files, one after the other, as its parent sends them. Each is a tap test of its own, with its counts
 * printed behind it. Files share the modules they import: loading the server takes longer than most files run.
 */
import asyncHooks from 'node:async_hooks'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

const { createHook } = asyncHooks
const inert = { enable: () => inert, disable: () => inert }
// tap tracks each promise and socket to attribute uncaught errors, which costs a tenth of the time. Here one file runs at a
// time, so such an error belongs to that file.
asyncHooks.createHook = () => inert
syncBuiltinESMExports()
const { default: tap } = await import('tap')
asyncHooks.createHook = createHook
syncBuiltinESMExports()

/** Begins the line that ends a file, with what tap counted. Read by run.mjs. */
const DONE = '# done '
const timeout = Number(process.env['TEST_FILE_MS'])
/** @type {import('tap').Test} */
let current = tap
/** @type {(() => unknown)[]} */
const ends = []

// tap lets go of the channel to the runner, which then does not keep this process alive between two files.
const alive = setInterval(() => {}, 60_000)
/** The runner has died. */
const leave = () => process.exit(1)
process.once('disconnect', leave)
process.on('uncaughtException', (error) => void current.threw(error))
// Each server that a file starts registers a listener for the end of the process.
process.setMaxListeners(0)
tap.setTimeout(0)

/** tap's `t` for compiled test files: that of the file that runs now. `afterAllFiles` is for tests/support/last-file.ts. @type {typeof tap} */
export const fileTest = new Proxy(tap, {
  get(_tap, name) {
    if (name === 'afterAllFiles') return (/** @type {() => unknown} */ end) => ends.push(end)
    const value = Reflect.get(current, name, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
})

/** Not awaited at the top level: test files import this module and would wait for it. */
async function runFiles() {
  for (;;) {
    /** @type {({ name: string, file: string } | 'end')[]} */
    const [next = 'end'] = await once(process, 'message')
    if (next === 'end') break
    await tap.test(next.name, { timeout }, async (t) => {
      current = t
      await import(pathToFileURL(next.file).href)
    })
    // Not through tap, which holds back what comes between two tests.
    process.stdout.write(`${DONE}${JSON.stringify({ ...current.counts, passing: current.passing() })}\n`)
  }
  for (const end of ends) await end()
  clearInterval(alive)
  process.off('disconnect', leave)
  process.disconnect()
}

void runFiles()
