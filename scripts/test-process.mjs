/**
 * Runs the compiled test files that TEST_FILES names one after the other in this process, each as a test of its own, with what it counted
 * behind it. What they import is loaded once, and by the second file it is fast.
 */
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

const { createHook } = asyncHooks
const still = { enable: () => still, disable: () => still }
/*
 * tap follows each promise and each socket to the test that made it, to know whose an error is that nobody catches: a tenth of the time, as the
 * servers run in the same process. One file runs at a time: such an error is said to be of the test that runs.
 */
asyncHooks.createHook = () => still
syncBuiltinESMExports()
const { default: tap } = await import('tap')
asyncHooks.createHook = createHook
syncBuiltinESMExports()

const fileMs = Number(process.env['TAP_TIMEOUT'] ?? 480) * 1_000
/** @type {import('tap').Test} */
let current = tap

process.on('uncaughtException', (error) => void current.threw(error))

/** @type {(() => unknown)[]} */
const ends = []

/**
 * What a compiled test file has as tap's `t`: that of the file which runs (scripts/test-build.mjs); and where it leaves what is to be done
 * after the last one (tests/support/last-file.ts). @type {typeof tap}
 */
export const fileTest = new Proxy(tap, {
  get(_tap, name) {
    if (name === 'afterAllFiles') return (/** @type {() => unknown} */ end) => ends.push(end)
    const value = Reflect.get(current, name, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
})

/** By the name under which each is known. @param {Record<string, string>} files */
async function runAll(files) {
  // Each server that a file starts is ended with this process, however it ends.
  process.setMaxListeners(0)
  tap.setTimeout(fileMs * Object.keys(files).length)
  for (const [name, file] of Object.entries(files)) {
    await tap.test(name, { timeout: fileMs }, async (t) => {
      current = t
      await import(pathToFileURL(file).href)
    })
    tap.comment(current.counts.toJSON())
  }
  for (const end of ends) await end()
}

// Not awaited: what a test file imports from here would wait for it.
void runAll(JSON.parse(process.env['TEST_FILES'] ?? '{}'))
