import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Socket } from 'node:net'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { pipeline as pipelineEnd } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { ownFile } from '#server/platform/storage/own-files.ts'
import { connectAlone } from './backup-tables.repository.ts'

export type PgDump = string | undefined

export interface DumpOrder {
  databaseUrl: string
  pgDump: PgDump
  args: string[]
  file: string
  signal?: AbortSignal | undefined
}

const errorTextMax = 2_000

export const tooLarge = 'This database is too large for the bundled pg_dump: set PG_DUMP to a pg_dump version 18'

const headLength = 5

/** Encodes a message of PostgreSQL's protocol: type, length (including the length field), body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(headLength)
  head.write(type)
  head.writeInt32BE(body.length + headLength - 1, 1)
  return Buffer.concat([head, body])
}

/** Builds the messages that a PostgreSQL server with these settings sends after a successful sign-in. */
function greeting(parameters: Record<string, string>): Buffer {
  const [welcome, keyOfNothing, idle] = [Buffer.alloc(4), Buffer.alloc(8), Buffer.from('I')]
  return Buffer.concat([
    message('R', welcome),
    ...Object.entries(parameters).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
    message('K', keyOfNothing),
    message('Z', idle),
  ])
}

/** The bundled pg_dump cannot open sockets, so it uses a connection that this process opens. */
async function startBundled({ databaseUrl, args }: DumpOrder): Promise<ChildProcess> {
  const client = await connectAlone(databaseUrl)
  // With this setting, pg_dump doubles every backslash. Without it, the npm package would remove lines of user data that begin with
  // `\restrict`, because it strips that psql command from the output.
  await client.query('set standard_conforming_strings = off')
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('server_version', 'client_encoding', 'standard_conforming_strings')`,
  )
  // Take over the socket: from here on, the server's responses go to pg_dump.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  const child = spawn(process.execPath, [ownFile('features/admin/backups/backup-program.mjs', 'pg-dump.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const pipe = child.stdio[3] as Duplex
  pipe.write(greeting(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))))
  // If either side ends, close the other. Ignore errors here, because pg_dump's output or exit code shows the cause.
  pipeline(stream, pipe, stream, () => undefined)
  return child
}

/** Translates the TLS settings of `pg` into libpq's: `disable`, `verify-full`, or `require` if certificates are not verified. */
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

/** Parses the URL with `pg`, so pg_dump uses the same settings as the server. */
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

/** Dumps into a gzip file. @throws an error with pg_dump's error output if pg_dump fails, or the signal's reason if it aborts */
export async function dump(order: DumpOrder): Promise<void> {
  const { pgDump, file, signal } = order
  const child = pgDump === undefined ? await startBundled(order) : startNative(pgDump, order)
  const end = () => child.kill()
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(0, errorTextMax)))
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
  const fault = faultOf(order, ended.value as Exit, output)
  if (fault !== undefined) throw new Error(fault)
}

type Exit = [code: number | null, killedBy: string | null]

/** Returns why pg_dump failed, or undefined if it succeeded. Reports that the bundled pg_dump ran out of memory as `tooLarge`. */
function faultOf({ pgDump }: DumpOrder, [code, killedBy]: Exit, output: string): string | undefined {
  const outgrown =
    killedBy === 'SIGABRT' || killedBy === 'SIGKILL' || /string longer than|allocation failed/.test(output)
  if (pgDump === undefined && outgrown) return tooLarge
  return code === 0 ? undefined : output.trim() || `pg_dump ended with ${code ?? killedBy}`
}
