/** What the scripts say, and how they stop: one place, so that every command sounds alike. */

/** A fault whose message is meant for the person at the keyboard; printed without a stack. */
export class Fault extends Error {}

/** @param {string} line */
export const say = (line) => void process.stdout.write(`${line}\n`)

/**
 * Runs a script's main function. A Fault ends the process with its message, anything else with its stack.
 * @param {() => Promise<number | void>} main resolves to the exit code
 */
export async function run(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    process.stderr.write(`\n${error instanceof Fault ? error.message : error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
  }
}
