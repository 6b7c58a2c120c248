import { readFileSync } from 'node:fs'

/** The commands that the README gives to somebody who sets up a production. */
export const productionCommands = (): string =>
  /## In production\n[^]*?```sh\n([^]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
