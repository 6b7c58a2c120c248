/** Runs the files that the parent process sends. They share imported modules, because loading the server takes longer than most files. */
import asyncHooks from 'node:async_hooks'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

// Disable async hooks. tap uses them to attribute uncaught errors, which takes a tenth of the time. Only one file runs at once anyway.
const inert = { enable: () => inert, disable: () => inert }
asyncHooks.createHook = () => inert
syncBuiltinESMExports()
const { default: tap } = await import('tap')

/** @type {import('tap').Test} */
let current = tap
/** @type {(() => unknown)[]} */
const ends = []

/** The `t` of the current file. `afterAllFiles` exists because tap ends its root test early if the root test has a teardown. */
const ofFile = new Proxy(tap, {
  get(_tap, name) {
    if (name === 'afterAllFiles') return (/** @type {() => unknown} */ end) => ends.push(end)
    const value = Reflect.get(current, name, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
})
export default ofFile
export const test = (/** @type {Parameters<typeof tap.test>} */ ...about) => ofFile.test(...about)

/** Do not await this at the top level: the test files import this module and would wait for it. */
async function runFiles() {
  // tap unrefs the IPC channel. Without this timer, the process would exit between two files.
  const alive = setInterval(() => {}, 60_000)
  const leave = () => process.exit(1)
  process.once('disconnect', leave)
  process.on('uncaughtException', (error) => void current.threw(error))
  // Each server that a file starts adds an exit listener, so remove the limit.
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
    // Write directly to stdout, because tap delays output between two tests. run.mjs parses this line.
    process.stdout.write(`# done ${JSON.stringify({ ...current.counts, passing: current.passing() })}\n`)
  }
  for (const end of ends) await end()
  clearInterval(alive)
  process.off('disconnect', leave)
  process.disconnect()
}

void runFiles()
