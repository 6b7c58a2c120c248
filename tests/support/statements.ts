import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CamelCasePlugin, PostgresQueryCompiler, type PluginTransformQueryArgs } from 'kysely'
import type { Test } from 'tap'

/** What a statement does to a table, as PostgreSQL calls it. */
export interface Access {
  how: 'insert' | 'update' | 'delete' | 'merge' | 'read'
  table: string
}

const inSql =
  /\b(?:(insert) into|(delete) from|(merge) into|(?<!\bfor |\bkey |\bdo )(update)|from|join|using)\s+(?:only\s+)?"?([a-z_]+)"?/gi
const inBuilder =
  /\.(?:(insert)Into|(delete)From|(merge)Into|(update)Table|selectFrom|\w+Join|from|using)\(\s*\[?(?:'(\w+)|(\w+))/g

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const accessesBy = (pattern: RegExp, text: string): Access[] =>
  [...text.matchAll(pattern)].map(([, insert, remove, merge, update, name = '']) => ({
    how: (insert ?? remove ?? merge ?? update ?? 'read').toLowerCase() as Access['how'],
    table: toSnake(name),
  }))

/** The tables of a statement, and whatever else stands in such a place: common table expressions, functions. */
export const accessesOf = (statement: string): Access[] => accessesBy(inSql, statement)

/** The same of a source file, of its query builder's calls as well as of its SQL. */
export function accessesInSource(source: string): Access[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|--.*$/gm, '')
  return [...accessesBy(inSql, code), ...accessesBy(inBuilder, code)]
}

/** The rules that PostgreSQL applies, by their names: a statement that calls one does what its text does. */
export async function readFunctions(): Promise<Map<string, string>> {
  const files = (await readdir('server/features', { recursive: true })).filter((file) => file.endsWith('.sql'))
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const name = basename(file, '.sql').replaceAll('-', '_')
        return [name, await readFile(join('server/features', file), 'utf8')] as const
      }),
    ),
  )
}

export interface Statement {
  sql: string
  /** The file of the server that asked for it, like `features/posts/posts.repository.ts`; none where the test did itself. */
  file: string | undefined
}

/** The nearest of our own files on the stack, the one that asked: a statement is compiled where it is asked for. */
function findAsking(stack: string): string | undefined {
  const nearest = stack
    .replaceAll(`${process.cwd()}/`, '/')
    .split('\n')
    .find((line) => /\/(server|tests)\/.+\.m?[tj]s/.test(line) && !line.includes('statements.'))
  // Compiled, a source is a file of its own with another ending.
  return /(?<!\/tests)\/server\/(.+?)\.(?:ts|mjs)/.exec(nearest ?? '')?.[1]?.concat('.ts')
}

/** Every statement that the servers of this process ask of PostgreSQL from now on, as it is compiled. */
export function recordStatements(t: Test): Statement[] {
  const statements: Statement[] = []
  const compiler = new PostgresQueryCompiler()
  const compile = CamelCasePlugin.prototype.transformQuery
  Error.stackTraceLimit = 50
  t.capture(
    CamelCasePlugin.prototype,
    'transformQuery',
    function (this: CamelCasePlugin, args: PluginTransformQueryArgs) {
      const node = compile.call(this, args)
      const { sql } = compiler.compileQuery(node, args.queryId)
      statements.push({ sql, file: findAsking(new Error('asked').stack ?? '') })
      return node
    },
  )
  return statements
}
