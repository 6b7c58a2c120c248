import { readFileSync } from 'node:fs'

/** The commands of docs/operations.md, "Set up production". */
export const productionCommands = (): string =>
  /## Set up production\n[^]*?```sh\n([^]*?)```/.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? ''
