import { readFileSync } from 'node:fs'

/** Returns the README's commands for a production setup. */
export const productionCommands = (): string =>
  /## In production\n[^]*?```sh\n([^]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
