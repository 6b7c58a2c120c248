import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'

export interface TableShape {
  name: string
  /** Quoted, without generated ones. */
  columns: string[]
  /** Quoted columns of the primary key. */
  key: string[]
}

/** What a table held: equal rows give an equal hash. */
export interface TableCopy {
  rows: number
  sha256: string
}

/** A connection of its own without the pool's short statement limit, writing values as text in one way everywhere. */
export async function connectForCopy(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // A broken connection fails the statement under way; between statements nobody else would hear of it.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
    set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0`)
  return client
}

const shapes = `
  select c.relname as name,
    array(select quote_ident(a.attname)::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select quote_ident(a.attname)::text from pg_index i
      cross join unnest(i.indkey) with ordinality as part(attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = part.attnum
      where i.indrelid = c.oid and i.indisprimary order by part.place) as key,
    array(select distinct parent.relname::text from pg_constraint f join pg_class parent on parent.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%'
  order by c.relname`

/** Every table of ours, those that are pointed at before those that point. */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  let left = (await client.query<TableShape & { parents: string[] }>(shapes)).rows
  const sorted: TableShape[] = []
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const ready = left.filter(({ parents }) => !parents.some((parent) => waiting.has(parent)))
    if (ready.length === 0) throw new Error(`Tables point at each other in a circle: ${[...waiting].join(', ')}`)
    sorted.push(...ready.map(({ name, columns, key }) => ({ name, columns, key })))
    left = left.filter((table) => !ready.includes(table))
  }
  return sorted
}

export async function listSequences(client: pg.Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  return rows
}

/** The newest migration in the database. */
export async function findMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select max(name) as name from kysely_migration')
  return rows[0]?.name ?? ''
}

/** Whether there is anything of ours or of somebody else's. */
export async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ some: boolean }>(
    `select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')) as some`,
  )
  return rows[0]?.some ?? false
}

/** Reads a table in the order of its key; into a gzip file, or only through the hash. */
export async function copyOut(
  client: pg.Client,
  { name, columns, key }: TableShape,
  file?: string,
): Promise<TableCopy> {
  const order = key.length > 0 ? key : columns
  const rows = client.query(
    to(`copy (select ${columns.join(', ')} from "${name}" order by ${order.join(', ')}) to stdout`),
  )
  const hash = createHash('sha256')
  async function* hashed(source: AsyncIterable<Buffer>) {
    for await (const bytes of source) {
      hash.update(bytes)
      yield bytes
    }
  }
  if (file === undefined) await pipeline(rows, hashed, new Writable({ write: (_bytes, _encoding, done) => done() }))
  else await pipeline(rows, hashed, createGzip(), createWriteStream(file, { mode: 0o600 }))
  return { rows: rows.rowCount, sha256: hash.digest('hex') }
}

/** Fills a table from a file that {@link copyOut} wrote. */
export async function copyIn(client: pg.Client, name: string, columns: string[], file: string): Promise<void> {
  const rows = client.query(from(`copy "${name}" (${columns.join(', ')}) from stdin`))
  await pipeline(createReadStream(file), createGunzip(), rows)
}
