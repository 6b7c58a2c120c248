import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Of pg_dump, in the order in which they are restored: tables, rows, then what is only checked and filed once the rows are there. */
export const sections = ['pre-data', 'data', 'post-data'] as const
export type Section = (typeof sections)[number]

/** Names that sort in that order. */
export const fileOf = (folder: string, section: Section) =>
  join(folder, `${sections.indexOf(section) + 1}-${section}.sql.gz`)

/** The lines of a gzip file, with their ends. */
export async function* readLines(file: string): AsyncGenerator<string> {
  // A fault of either stream comes out of the last one.
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

/** psql's own commands, which a newer native pg_dump writes around the SQL. */
const isForPsql = (line: string) => /^\\(un)?restrict /.test(line)

const isIdle = (line: string) => line === '\n' || line.startsWith('--')

/** Whether the apostrophes in it are an even number. */
function isEven(line: string): boolean {
  let even = true
  for (let at = line.indexOf("'"); at >= 0; at = line.indexOf("'", at + 1)) even = !even
  return even
}

/** One statement after the other, so that a table need not fit into memory: each ends with a line that ends in `;` outside of a text. */
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

/**
 * The settings first, one by one: how a text is read must be known before the rest is parsed. That is one piece, as bodies of
 * functions have a `;` of their own, and does not grow with the rows.
 */
async function* readSchema(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const line of readLines(file)) {
    if (isForPsql(line)) continue
    if (rest === '' && line.startsWith('SET ')) yield line
    else if (rest !== '' || !isIdle(line)) rest += line
  }
  yield rest
}

/** The SQL of a section in pieces that can be run one after the other. */
export const readSection = (folder: string, section: Section): AsyncGenerator<string> =>
  (section === 'data' ? readRows : readSchema)(fileOf(folder, section))
