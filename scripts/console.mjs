/** What the scripts say, and how they stop: one place, so that every command sounds alike. */

/** A fault whose message is meant for the person at the keyboard; printed without a stack. */
export class Fault extends Error {}

/** @param {string} line */
export const say = (line) => void process.stdout.write(`${line}\n`)

/**
 * Runs a script's main function. A Fault ends the process with its message, anything else with its stack.
 * @param {() => Promise<number | void>} main resolves to the exit code
 */
export function run(main) {
  main().then(
    (code) => (process.exitCode = code ?? 0),
    (error) => {
      process.stderr.write(`\n${wordsOf(error)}\n`)
      process.exitCode = 1
    },
  )
}

/** @param {unknown} error */
function wordsOf(error) {
  if (error instanceof Fault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
