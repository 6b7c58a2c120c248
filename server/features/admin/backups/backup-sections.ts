import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** pg_dump's sections, in the order in which they must be restored: tables, rows, then indexes and constraints. */
export const sections = ['pre-data', 'data', 'post-data'] as const
export type Section = (typeof sections)[number]

export const fileOf = (folder: string, section: Section) =>
  join(folder, `${sections.indexOf(section) + 1}-${section}.sql.gz`)

/** Yields the lines of a gzip file, including their line breaks. */
export async function* readLines(file: string): AsyncGenerator<string> {
  // An error in either stream surfaces when the last stream is read.
  const text = pipeline(createReadStream(file), createGunzip(), () => undefined).setEncoding('utf8')
  let begun = ''
  for await (const piece of text as AsyncIterable<string>) {
    const last = piece.lastIndexOf('\n') + 1
    if (last > 0) {
      yield* (begun + piece.slice(0, last)).split(/(?<=\n)/)
      begun = ''
    }
    begun += piece.slice(last)
  }
  if (begun !== '') yield begun
}

/** Matches psql commands that newer versions of pg_dump add to the SQL. */
const isForPsql = (line: string) => /^\\(un)?restrict /.test(line)

const isIdle = (line: string) => line === '\n' || line.startsWith('--')

function isEven(line: string): boolean {
  let even = true
  for (let at = line.indexOf("'"); at >= 0; at = line.indexOf("'", at + 1)) even = !even
  return even
}

/** Yields one statement at a time to save memory. A statement ends with a line that ends with `;` outside of a string. */
async function* readRows(file: string): AsyncGenerator<string> {
  let statement = ''
  let outside = true
  for await (const line of readLines(file)) {
    if (statement === '' && (isIdle(line) || isForPsql(line))) continue
    statement += line
    if (!isEven(line)) outside = !outside
    if (!outside || !line.endsWith(';\n')) continue
    yield statement
    statement = ''
  }
  if (statement !== '') yield statement
}

/** Yields each setting alone, because settings affect how the rest is parsed. Does not split the rest: function bodies contain `;`. */
async function* readSchema(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const line of readLines(file)) {
    if (isForPsql(line)) continue
    if (rest === '' && line.startsWith('SET ')) yield line
    else if (rest !== '' || !isIdle(line)) rest += line
  }
  yield rest
}

/** Returns the SQL of a section in pieces that must run in order. */
export const readSection = (folder: string, section: Section): AsyncGenerator<string> =>
  (section === 'data' ? readRows : readSchema)(fileOf(folder, section))
