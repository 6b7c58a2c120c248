export class Fault extends Error {}

/** @param {string} line */
export const print = (line) => void process.stdout.write(`${line}\n`)

/** Runs `main`. Prints a Fault's message or another error's stack. @param {() => Promise<number | void>} main resolves to the exit code */
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
