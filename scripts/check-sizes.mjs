import { readFileSync } from 'node:fs'
import { sourceFiles } from './sources.mjs'

const MOST_LINES = 300

/** A file past the limit wants to be two. */
export async function checkSizes() {
  return sourceFiles(['client', 'server', 'shared', 'tests', 'scripts', 'bench'])
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter(({ file, lines }) => lines > MOST_LINES && !file.endsWith('server/db/schema.ts'))
    .map(({ file, lines }) => `${file}: ${lines} lines; split it by what it does (${MOST_LINES} at most)`)
    .join('\n')
}
