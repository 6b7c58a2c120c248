import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Socket } from 'node:net'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { pipeline as pipelineEnd } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { ownFile } from '#server/platform/own-files.ts'
import { connectAlone } from './backup-tables.repository.ts'

/** Where `pg_dump` is; undefined for the bundled one. */
export type PgDump = string | undefined

export interface DumpOrder {
  databaseUrl: string
  pgDump: PgDump
  args: string[]
  /** Gets what pg_dump writes, as gzip. */
  file: string
  /** Ends it in the middle. */
  signal?: AbortSignal | undefined
}

const keptOfFaults = 2_000

/** Why the bundled one, which holds a whole section in memory, has to give way. */
export const tooLarge = 'This database is too large for the bundled pg_dump: set PG_DUMP to a pg_dump version 18'

const headLength = 5

/** A message of PostgreSQL's protocol: a type, the length of what follows with itself, a body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(headLength)
  head.write(type)
  head.writeInt32BE(body.length + headLength - 1, 1)
  return Buffer.concat([head, body])
}

/** What a server says to a client that it lets in. @param parameters as the real server has them */
function greeting(parameters: Record<string, string>): Buffer {
  const [welcome, keyOfNothing, idle] = [Buffer.alloc(4), Buffer.alloc(8), Buffer.from('I')]
  return Buffer.concat([
    message('R', welcome),
    ...Object.entries(parameters).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
    message('K', keyOfNothing),
    message('Z', idle),
  ])
}

/** The bundled one has no sockets: it speaks to the server through a connection of ours. */
async function startBundled({ databaseUrl, args }: DumpOrder): Promise<ChildProcess> {
  const client = await connectAlone(databaseUrl)
  // pg_dump then doubles every backslash. The package drops each line that begins with `\restrict`, psql's command, from what
  // pg_dump wrote, and such a line may also stand in what a dealer wrote.
  await client.query('set standard_conforming_strings = off')
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('server_version', 'client_encoding', 'standard_conforming_strings')`,
  )
  // Below the queries of `pg`; from here on the answers are the program's.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  const child = spawn(process.execPath, [ownFile('features/admin/backups/backup-program.mjs', 'pg-dump.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const pipe = child.stdio[3] as Duplex
  pipe.write(greeting(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))))
  // Whichever side ends takes the other with it; why is said by the program or by its exit.
  pipeline(stream, pipe, stream, () => undefined)
  return child
}

/** What `pg` made of the URL's TLS, in libpq's words: unless it is told to trust anybody it is what libpq calls `verify-full`. */
function tlsVariables(databaseUrl: string, tls: unknown): Record<string, string> {
  if (!tls) return { PGSSLMODE: 'disable' }
  const trustsAnybody = typeof tls === 'object' && 'rejectUnauthorized' in tls && !tls.rejectUnauthorized
  const options = new URLSearchParams(databaseUrl.split('?')[1])
  const rootcert = options.get('sslrootcert') ?? (trustsAnybody ? undefined : 'system')
  return {
    PGSSLMODE: trustsAnybody ? 'require' : 'verify-full',
    ...(rootcert !== undefined && { PGSSLROOTCERT: rootcert }),
  }
}

/** The database by the names that libpq knows. `pg` has read the URL already. */
function libpqVariables(databaseUrl: string): Record<string, string> {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: databaseUrl })
  return {
    PGHOST: host,
    PGPORT: String(port),
    ...(user !== undefined && { PGUSER: user }),
    ...(password ? { PGPASSWORD: password } : {}),
    ...(database !== undefined && { PGDATABASE: database }),
    ...tlsVariables(databaseUrl, ssl),
  }
}

const startNative = (path: string, { databaseUrl, args }: DumpOrder): ChildProcess =>
  spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...libpqVariables(databaseUrl) },
  })

/** @throws with what pg_dump said when it fails, or with the reason of the signal */
export async function dump(order: DumpOrder): Promise<void> {
  const { pgDump, file, signal } = order
  const child = pgDump === undefined ? await startBundled(order) : startNative(pgDump, order)
  const end = () => child.kill()
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, keptOfFaults)))
  const [ended, written] = await Promise.allSettled([
    once(child, 'close'),
    pipelineEnd(child.stdout as Readable, createGzip(), createWriteStream(file, { mode: 0o600 })).catch((error) => {
      child.kill()
      throw error
    }),
  ])
  signal?.removeEventListener('abort', end)
  signal?.throwIfAborted()
  if (ended.status === 'rejected') throw new Error(`PG_DUMP does not start: ${String(ended.reason)}`)
  if (written.status === 'rejected') throw written.reason
  const fault = faultOf(order, ended.value as Exit, said)
  if (fault !== undefined) throw new Error(fault)
}

type Exit = [code: number | null, killedBy: string | null]

/** Why pg_dump ended, where that was not at its end. The bundled one holds the database in its memory, which has a limit. */
function faultOf({ pgDump }: DumpOrder, [code, killedBy]: Exit, said: string): string | undefined {
  const outgrown = killedBy === 'SIGABRT' || killedBy === 'SIGKILL' || /string longer than|allocation failed/.test(said)
  if (pgDump === undefined && outgrown) return tooLarge
  return code === 0 ? undefined : said.trim() || `pg_dump ended with ${code ?? killedBy}`
}
