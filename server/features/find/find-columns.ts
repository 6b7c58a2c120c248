import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { availableParallelism } from 'node:os'
import { AppError } from '#server/errors.ts'
import type { Db } from '#server/platform/db.ts'
import { listOpenPrices, readChanges, readRows, readSellers, readStart, type Lines } from './find-lines.repository.ts'

/** What a process has read, as columns in the memory of DuckDB, which works them on threads of its own. */
export interface Columns {
  instance: DuckDBInstance
  writer: DuckDBConnection
  /** Each answers one question at a time. */
  readers: DuckDBConnection[]
  /** What was committed when it was read last, as PostgreSQL writes it: from there on it is asked what has changed. */
  snapshot: string
  /** Sellers of whom nothing is found, and until when. */
  hidden: Map<number, number>
  /** Of auctions that run: the state that was read last, by row. */
  prices: Map<number, string>
  pricesAt: number
  vehicles: number
  /** Rows written since they were tidied. */
  written: number
  memoryMb: number
  readAt: number
}

/** Questions under way at a time: each uses several threads as it is. */
const lanes = 2
const threadsMax = 4
const rowsPerRead = 50_000
/** So many rows written since the last tidying, and as many as there are: what was deleted takes up too much. */
const tidyAfter = 50_000
const pricesEveryMs = 5_000
/** No question takes so long. */
const answeredMs = 10_000
const bytesPerMb = 1024 * 1024

const stock = {
  row_no: 'integer',
  seller: 'integer',
  make: 'integer',
  model: 'integer',
  trim: 'integer',
  year: 'smallint',
  price: 'bigint',
  miles: 'integer',
  body: 'utinyint',
  drive: 'utinyint',
  fuel: 'utinyint',
  starts: 'bigint',
  ends: 'bigint',
  photos: 'boolean',
  place: 'integer',
  posted: 'bigint',
  /** The transaction by which this process knew of it first: whoever saw it since has seen that. */
  came: 'bigint',
}
const incoming = { ...stock, gone: 'boolean' }
const sellers = { seller: 'integer', rating: 'float', hidden_until: 'bigint' }
const places = { place: 'integer', lat: 'double', lng: 'double' }

type Table = Readonly<Record<string, string>>
const tables: Record<string, Table> = { stock, incoming, sellers, changed_sellers: sellers, places }

const create = (name: string, table: Table) =>
  `create table ${name} (${Object.entries(table)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ')})`

/** Lines of values with `|` between them, as PostgreSQL writes them; empty is null. */
const insert = (name: string, table: Table) =>
  `insert into ${name} select ${Object.values(table)
    .map((type, index) => `try_cast(p[${index + 1}] as ${type})`)
    .join(', ')}
   from (select string_split(line, '|') as p from (select unnest(string_split($1, chr(10))) as line) where line <> '')`

export const noEngine = () =>
  new AppError(
    503,
    'unavailable',
    'Find is not available on this server: there is no search engine for this kind of machine.',
  )

/** The package is loaded when it is first needed: most processes of a test never do. @throws AppError 503 */
async function openInstance(): Promise<DuckDBInstance> {
  try {
    const { DuckDBInstance: Instance } = await import('@duckdb/node-api')
    return await Instance.create(':memory:', { threads: String(Math.min(threadsMax, availableParallelism())) })
  } catch (error) {
    throw Object.assign(noEngine(), { cause: error })
  }
}

/** Puts these rows in the place of those with the same numbers; whoever asks meanwhile sees all of it or nothing. */
async function write(columns: Columns, { lines, count }: Lines): Promise<void> {
  if (count === 0) return
  const { writer } = columns
  await writer.run(insert('incoming', incoming), [lines])
  await writer.run('update incoming set came = stock.came from stock where stock.row_no = incoming.row_no')
  await writer.run('begin')
  await writer.run('delete from stock where row_no in (select row_no from incoming)')
  await writer.run('insert into stock select * exclude (gone) from incoming where not gone')
  await writer.run('delete from incoming')
  await writer.run('commit')
  columns.written += count
}

async function writeSellers({ writer, hidden }: Columns, { lines, count }: Lines): Promise<void> {
  if (count === 0) return
  await writer.run(insert('changed_sellers', sellers), [lines])
  await writer.run('begin')
  await writer.run('delete from sellers where seller in (select seller from changed_sellers)')
  await writer.run('insert into sellers select * from changed_sellers')
  await writer.run('delete from changed_sellers')
  await writer.run('commit')
  for (const line of lines.split('\n')) {
    const [seller = '', , until = ''] = line.split('|')
    if (until === '') hidden.delete(Number(seller))
    else hidden.set(Number(seller), Number(until))
  }
}

async function measure(columns: Columns): Promise<void> {
  const counted = await columns.writer.runAndReadAll(
    'select (select count(*) from stock)::integer, (select coalesce(sum(memory_usage_bytes), 0) from duckdb_memory())::double',
  )
  const [row] = counted.getRows()
  columns.vehicles = Number(row?.[0] ?? 0)
  columns.memoryMb = Math.round(Number(row?.[1] ?? 0) / bytesPerMb)
}

/** All that is on offer, read anew. @throws AppError 503 where this machine has no engine */
export async function readColumns(db: Db): Promise<Columns> {
  const instance = await openInstance()
  const writer = await instance.connect()
  const readers = await Promise.all(Array.from({ length: lanes }, () => instance.connect()))
  const { snapshot, places: placeLines, lastRow } = await readStart(db)
  const columns: Columns = {
    instance,
    writer,
    readers,
    snapshot,
    hidden: new Map(),
    prices: new Map(),
    pricesAt: 0,
    vehicles: 0,
    written: 0,
    memoryMb: 0,
    readAt: Date.now(),
  }
  for (const [name, table] of Object.entries(tables)) await writer.run(create(name, table))
  await writer.run(insert('places', places), [placeLines])
  for (let from = 0; from <= lastRow; from += rowsPerRead)
    await write(columns, await readRows(db, from, from + rowsPerRead))
  columns.written = 0
  await writeSellers(columns, await readSellers(db))
  await measure(columns)
  return columns
}

/** What bids have changed: they do not touch the rows of Find. */
async function followPrices(columns: Columns, db: Db): Promise<boolean> {
  const open = await listOpenPrices(db)
  const changed = open.filter(({ rowNo, state }) => columns.prices.get(rowNo) !== state).map(({ rowNo }) => rowNo)
  columns.prices = new Map(open.map(({ rowNo, state }) => [rowNo, state]))
  if (changed.length > 0) await write(columns, await readRows(db, 0, 0, changed))
  return changed.length > 0
}

/** Deleted rows keep their place until the table is written anew. */
async function tidy(columns: Columns): Promise<void> {
  if (columns.written < Math.max(tidyAfter, columns.vehicles)) return
  await columns.writer.run('create or replace table stock as select * from stock order by row_no')
  columns.written = 0
}

/** Reads what has changed since the last time. Answers whether anything had, and the snapshot that it has by now. */
export async function followColumns(columns: Columns, db: Db): Promise<{ hasChanged: boolean; snapshot: string }> {
  const changes = await readChanges(db, columns.snapshot)
  const changedSellers = await readSellers(db, columns.snapshot)
  await write(columns, changes)
  await writeSellers(columns, changedSellers)
  columns.readAt = Date.now()
  const { snapshot } = changes
  const hasChanged = changes.count + changedSellers.count > 0
  if (Date.now() - columns.pricesAt < pricesEveryMs) return { hasChanged, snapshot }
  columns.pricesAt = Date.now()
  const hasBids = await followPrices(columns, db)
  await tidy(columns)
  await measure(columns)
  return { hasChanged: hasChanged || hasBids, snapshot }
}

/** What they are still asked is answered first. */
export function closeColumns({ readers, writer, instance }: Columns): void {
  const close = () => {
    for (const connection of [...readers, writer]) connection.closeSync()
    instance.closeSync()
  }
  setTimeout(close, answeredMs).unref()
}
