import { readFileSync } from 'node:fs'

export const productionCommands = (): string =>
  /## Set up production\n[^]*?```sh\n([^]*?)```/.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? ''
