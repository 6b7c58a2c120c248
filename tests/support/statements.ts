import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CamelCasePlugin, PostgresQueryCompiler, type PluginTransformQueryArgs } from 'kysely'
import type { Test } from 'tap'

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

export const accessesOf = (statement: string): Access[] => accessesBy(inSql, statement)

/** Returns the tables that a source file accesses in SQL and in query builder calls. */
export function accessesInSource(source: string): Access[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|--.*$/gm, '')
  return [...accessesBy(inSql, code), ...accessesBy(inBuilder, code)]
}

/** Returns SQL functions by name. A statement that calls a function is checked together with the body of the function. */
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
  /** The server file that issued the statement, such as `features/posts/posts.repository.ts`. Undefined if the test issued it. */
  file: string | undefined
}

/** Returns the server file nearest on the stack, or undefined if a test issued the statement. */
function findAsking(stack: string): string | undefined {
  const nearest = stack
    .replaceAll(`${process.cwd()}/`, '/')
    .split('\n')
    .find((line) => /\/(server|tests)\/.+\.m?[tj]s/.test(line) && !line.includes('statements.'))
  // Compiled files have the extension .mjs.
  return /(?<!\/tests)\/server\/(.+?)\.(?:ts|mjs)/.exec(nearest ?? '')?.[1]?.concat('.ts')
}

/** Records every statement that the servers in this process compile. */
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
