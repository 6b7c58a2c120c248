import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to } from 'pg-copy-streams'

export interface TableShape {
  name: string
  /** Quoted column names, without generated columns. */
  columns: string[]
  key: string[]
}

/** Tables with the same rows have the same hash. */
export interface TableContent {
  rows: number
  sha256: string
}

/** Opens a connection with fixed formats for values and without the pool's statement timeout. */
export async function connectAlone(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // Without this listener, a connection lost between queries would crash the process.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
    set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0`)
  return client
}

/** Begins a read-only transaction and exports its snapshot for other connections. */
export async function beginSnapshot(client: pg.Client): Promise<{ snapshot: string; at: Date }> {
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ snapshot: string; at: Date }>(
    'select pg_export_snapshot() as snapshot, now() as at',
  )
  const [moment] = rows
  if (moment === undefined) throw new Error('PostgreSQL gave no snapshot')
  return moment
}

const shapes = `
  select c.relname as name,
    array(select quote_ident(a.attname)::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select quote_ident(a.attname)::text from pg_index i
      cross join unnest(i.indkey) with ordinality as part(attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = part.attnum
      where i.indrelid = c.oid and i.indisprimary order by part.place) as key
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  order by c.relname`

export async function listTables(client: pg.Client): Promise<TableShape[]> {
  return (await client.query<TableShape>(shapes)).rows
}

export async function sizeOfTables(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0) as bytes from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return Number(rows[0]?.bytes)
}

export async function findRole(client: pg.Client): Promise<{ name: string; mayCreate: boolean }> {
  const { rows } = await client.query<{ name: string; mayCreate: boolean }>(
    `select rolname as name, rolcreatedb or rolsuper as "mayCreate" from pg_roles where rolname = current_user`,
  )
  const [role] = rows
  if (role === undefined) throw new Error('PostgreSQL does not know its own role')
  return role
}

export async function listForeignOwners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ owner: string }>(
    `select distinct pg_get_userbyid(relowner) as owner from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and not pg_has_role(relowner, 'usage') order by 1`,
  )
  return rows.map(({ owner }) => owner)
}

export async function findMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select max(name) as name from kysely_migration')
  return rows[0]?.name ?? ''
}

export async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ some: boolean }>(
    `select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')) as some`,
  )
  return rows[0]?.some ?? false
}

export async function readContent(client: pg.Client, { name, columns, key }: TableShape): Promise<TableContent> {
  const order = key.length > 0 ? key : columns
  const rows = client.query(
    to(`copy (select ${columns.join(', ')} from "${name}" order by ${order.join(', ')}) to stdout`),
  )
  const hash = createHash('sha256')
  const hashed = new Writable({
    write(bytes: Buffer, _encoding, done) {
      hash.update(bytes)
      done()
    },
  })
  await pipeline(rows, hashed)
  return { rows: rows.rowCount, sha256: hash.digest('hex') }
}
