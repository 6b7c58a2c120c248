import { readFileSync } from 'node:fs'

export const productionCommands = (): string =>
  /## In production\n[^]*?```sh\n([^]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
