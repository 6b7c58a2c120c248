import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { FindFigures } from '#shared/schemas/ops.ts'
import { AppError, unavailable } from '#server/errors.ts'
import type { Db } from '#server/platform/db.ts'
import { listOpenPrices, readChanges, readHorizon, readRows, readSellers, type Lines } from './find-lines.repository.ts'
import { countSql, facetsSql, pageSql, sinceSql, type Criteria, type FacetAsk, type PageAsk } from './find-index-sql.ts'

/** One line of counts: of which group, its values, how many. */
export type FacetRow = [group: string, a: number | null, b: number | null, c: number | null, count: number]
export type PageRow = [rowNo: number, key: number, miles: number | null]

/**
 * All vehicles on offer as columns in the memory of this process, PostgreSQL the truth. Nothing outside of this file knows how; it is
 * asked off the event loop. It loads when it is asked first, or when `load` is called.
 */
export interface FindIndex {
  /** Reads everything anew beside what is there, which answers meanwhile. @throws AppError 503 where this machine cannot hold it */
  load(): Promise<void>
  /** Reads what has changed since the last time; at the end of this, commits of before it began are found. */
  follow(): Promise<void>
  /** Forgets all of it, as after a fault; the next question loads it anew. */
  drop(): void
  page(ask: PageAsk, signal?: AbortSignal): Promise<PageRow[]>
  count(criteria: Criteria, signal?: AbortSignal): Promise<number>
  facets(ask: FacetAsk, signal?: AbortSignal): Promise<FacetRow[]>
  /** How many came after that moment, and the newest moment there is. */
  since(criteria: Criteria, after: number, signal?: AbortSignal): Promise<{ count: number; head: number }>
  /** Sellers of whom nothing is found at that moment. */
  hiddenSellers(now: number): number[]
  figures(): FindFigures
  close(): void
}

const followEveryMs = 500
const pricesEveryMs = 5_000
/** Follows so long unsuccessfully: what it missed may have been swept, so it reads all anew. */
const staleMs = 3_600_000
/** Questions under way at a time: each uses several threads as it is. */
const lanes = 2
const waitingMax = 50
const sameForMs = 1_000
const rowsPerRead = 50_000
/** No question takes so long. */
const answeredMs = 10_000
const retryMs = 5_000
/** So many rows written since the last tidying, and as many as there are: what was deleted takes up too much. */
const tidyAfter = 50_000
const threadsMax = 4
const bytesPerMb = 1024 * 1024

const missing = () =>
  new AppError(
    503,
    'unavailable',
    'Find is not available on this server: its search engine has none for this kind of machine.',
  )
const busy = () => unavailable('Many people are searching right now. Try again in a moment.')
const faulty = () => unavailable('Find is being read anew. Try again in a moment.')

const tables = `
  create table stock (row_no integer, seller integer, make integer, model integer, trim integer, year smallint, price bigint,
    miles integer, body utinyint, drive utinyint, fuel utinyint, starts bigint, ends bigint, photos boolean, place integer, posted bigint);
  create table incoming (row_no integer, seller integer, make integer, model integer, trim integer, year smallint, price bigint,
    miles integer, body utinyint, drive utinyint, fuel utinyint, starts bigint, ends bigint, photos boolean, place integer, posted bigint,
    gone boolean);
  create table sellers (seller integer, rating float, hidden_until bigint);
  create table places (place integer, lat double, lng double)`

/** Lines of values with `|` between them, as PostgreSQL writes them; empty is null. */
const fromLines = (types: readonly string[]) =>
  `select ${types.map((type, index) => `try_cast(p[${index + 1}] as ${type})`).join(', ')}
   from (select string_split(line, '|') as p from (select unnest(string_split($1, chr(10))) as line) where line <> '')`

const vehicleTypes =
  'integer,integer,integer,integer,integer,smallint,bigint,integer,utinyint,utinyint,utinyint,bigint,bigint,boolean,integer,bigint,boolean'.split(
    ',',
  )
const sellerTypes = ['integer', 'float', 'bigint']
const placeTypes = ['integer', 'double', 'double']

interface Loaded {
  instance: DuckDBInstance
  writer: DuckDBConnection
  readers: DuckDBConnection[]
  horizon: string
  hidden: Map<number, number>
  /** Of running auctions: the state that was read last, by row. */
  prices: Map<number, string>
  vehicles: number
  written: number
  memoryMb: number
  readAt: number
}

interface Task {
  sql: string
  waiting: number
  lane: DuckDBConnection | undefined
  answer: Promise<unknown[][]>
  run: (lane: DuckDBConnection) => Promise<void>
  giveUp: (error: Error) => void
}

/** The package is loaded when it is first needed: most processes of a test never do. */
async function openInstance(): Promise<DuckDBInstance> {
  try {
    const { DuckDBInstance: Instance } = await import('@duckdb/node-api')
    return await Instance.create(':memory:', { threads: String(Math.min(threadsMax, availableParallelism())) })
  } catch (error) {
    throw Object.assign(missing(), { cause: error })
  }
}

async function write(loaded: Loaded, lines: string): Promise<void> {
  const { writer } = loaded
  await writer.run(`insert into incoming ${fromLines(vehicleTypes)}`, [lines])
  await writer.run('begin')
  await writer.run('delete from stock where row_no in (select row_no from incoming)')
  await writer.run('insert into stock select * exclude (gone) from incoming where not gone')
  await writer.run('delete from incoming')
  await writer.run('commit')
}

async function writeSellers(loaded: Loaded, { lines, count }: Lines): Promise<void> {
  if (count === 0) return
  const { writer, hidden } = loaded
  await writer.run(
    `create or replace temp table changed_sellers as select * from (${fromLines(sellerTypes)}) as s (seller, rating, hidden_until)`,
    [lines],
  )
  await writer.run('begin')
  await writer.run('delete from sellers where seller in (select seller from changed_sellers)')
  await writer.run('insert into sellers select * from changed_sellers')
  await writer.run('commit')
  for (const line of lines.split('\n')) {
    const [seller = '', , until = ''] = line.split('|')
    if (until === '') hidden.delete(Number(seller))
    else hidden.set(Number(seller), Number(until))
  }
}

async function measure(loaded: Loaded): Promise<void> {
  const counted = await loaded.writer.runAndReadAll(
    'select (select count(*) from stock)::integer, (select coalesce(sum(memory_usage_bytes), 0) from duckdb_memory())::double',
  )
  const [row] = counted.getRows()
  loaded.vehicles = Number(row?.[0] ?? 0)
  loaded.memoryMb = Math.round(Number(row?.[1] ?? 0) / bytesPerMb)
}

/** Deleted rows keep their place until the table is written anew. */
async function tidy(loaded: Loaded): Promise<void> {
  if (loaded.written < Math.max(tidyAfter, loaded.vehicles)) return
  await loaded.writer.run('create or replace table stock as select * from stock order by row_no')
  loaded.written = 0
}

export function createFindIndex({ db, log }: { db: Db; log: Logger }): FindIndex {
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined
  let following: Promise<void> | undefined
  let state: FindFigures['state'] = 'off'
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let pricesAt = 0
  const waiting: Task[] = []
  const idle: DuckDBConnection[] = []
  const asked = new LRUCache<string, Task>({ max: 500, ttl: sameForMs })

  /** What it is still asked is answered first. */
  function release(old: Loaded | undefined): void {
    if (old === undefined) return
    const close = () => {
      for (const connection of [...old.readers, old.writer]) connection.closeSync()
      old.instance.closeSync()
    }
    setTimeout(close, answeredMs).unref()
  }

  async function read(): Promise<Loaded> {
    const began = performance.now()
    const instance = await openInstance()
    const writer = await instance.connect()
    const readers = await Promise.all(Array.from({ length: lanes }, () => instance.connect()))
    const { horizon, places, lastRow } = await readHorizon(db)
    const fresh: Loaded = {
      ...{ instance, writer, readers, horizon, hidden: new Map(), prices: new Map() },
      ...{ vehicles: 0, written: 0, memoryMb: 0, readAt: Date.now() },
    }
    for (const statement of tables.split(';')) await writer.run(statement)
    await writer.run(`insert into places ${fromLines(placeTypes)}`, [places])
    for (let from = 0; from <= lastRow; from += rowsPerRead) {
      const { lines, count } = await readRows(db, from, from + rowsPerRead)
      if (count > 0) await write(fresh, lines)
    }
    await writeSellers(fresh, await readSellers(db, '0'))
    await measure(fresh)
    log.info({ vehicles: fresh.vehicles, ms: Math.round(performance.now() - began) }, 'Find has read what is on offer')
    return fresh
  }

  function adopt(fresh: Loaded): void {
    const old = loaded
    loaded = fresh
    idle.splice(0, idle.length, ...fresh.readers)
    asked.clear()
    state = 'ready'
    release(old)
    if (closed) return drop()
    timer ??= setInterval(tick, followEveryMs).unref()
    next()
  }

  async function load(): Promise<void> {
    if (state === 'missing') throw missing()
    if (loading === undefined) {
      if (loaded === undefined) state = 'loading'
      const reading = read()
      loading = reading
      reading
        .then(adopt, (error: unknown) => {
          const isMissing = error instanceof AppError
          if (loaded === undefined) state = isMissing ? 'missing' : 'off'
          log.warn({ err: error }, isMissing ? 'Find has no engine on this machine' : 'Find could not be loaded')
          for (const task of waiting.splice(0)) task.giveUp(isMissing ? missing() : faulty())
          if (!isMissing && !closed) setTimeout(() => void load().catch(() => undefined), retryMs).unref()
        })
        .finally(() => (loading = undefined))
    }
    await loading
  }

  async function followPrices(current: Loaded): Promise<void> {
    const open = await listOpenPrices(db)
    const changed = open.filter(({ rowNo, state: now }) => current.prices.get(rowNo) !== now)
    current.prices = new Map(open.map(({ rowNo, state: now }) => [rowNo, now]))
    if (changed.length === 0) return
    const { lines } = await readRows(
      db,
      0,
      0,
      changed.map(({ rowNo }) => rowNo),
    )
    await write(current, lines)
    asked.clear()
  }

  async function step(current: Loaded): Promise<void> {
    const [{ horizon, lines, count }, sellers] = [
      await readChanges(db, current.horizon),
      await readSellers(db, current.horizon),
    ]
    if (count > 0) await write(current, lines)
    await writeSellers(current, sellers)
    current.horizon = horizon
    current.readAt = Date.now()
    current.written += count
    if (count + sellers.count > 0) asked.clear()
    if (Date.now() - pricesAt < pricesEveryMs) return
    pricesAt = Date.now()
    await followPrices(current)
    await tidy(current)
    await measure(current)
  }

  /** One after the other: what was begun before may have read before what its caller has just written. */
  async function follow(): Promise<void> {
    while (following !== undefined) await following.catch(() => undefined)
    following = followOnce().finally(() => (following = undefined))
    await following
  }

  /** PostgreSQL away: the figures say since when, and what was read still answers. */
  function tick(): void {
    if (following === undefined) follow().catch((error: unknown) => log.debug({ err: error }, 'Find could not follow'))
  }

  async function followOnce(): Promise<void> {
    const current = loaded
    if (current === undefined) return load()
    if (Date.now() - current.readAt > staleMs) return load()
    await step(current)
  }

  function drop(): void {
    const old = loaded
    loaded = undefined
    state = 'off'
    idle.length = 0
    asked.clear()
    clearInterval(timer)
    timer = undefined
    release(old)
  }

  function next(): void {
    while (idle.length > 0 && waiting.length > 0) {
      const lane = idle.pop()
      const task = waiting.shift()
      if (lane !== undefined && task !== undefined) void task.run(lane)
    }
  }

  function createTask(sql: string): Task {
    const { promise, resolve, reject } = withResolvers<unknown[][]>()
    const task: Task = {
      ...{ sql, waiting: 0, lane: undefined, answer: promise, giveUp: reject },
      async run(lane) {
        const owner = loaded
        task.lane = lane
        try {
          const reader = await lane.runAndReadAll(sql)
          resolve(reader.getRows())
        } catch (error) {
          asked.delete(sql)
          const wasAborted = task.waiting === 0
          if (!wasAborted && owner === loaded) {
            log.warn({ err: error }, 'Find failed and is read anew')
            drop()
          }
          reject(faulty())
        } finally {
          task.lane = undefined
          if (owner !== undefined && owner === loaded) idle.push(lane)
          next()
        }
      },
    }
    // Whoever asked may have gone.
    promise.catch(() => undefined)
    return task
  }

  function leave(task: Task): void {
    task.waiting -= 1
    if (task.waiting > 0) return
    asked.delete(task.sql)
    const place = waiting.indexOf(task)
    if (place >= 0) {
      waiting.splice(place, 1)
      task.giveUp(faulty())
    } else task.lane?.interrupt()
  }

  async function ask(sql: string, signal?: AbortSignal): Promise<unknown[][]> {
    let task = asked.get(sql)
    if (task === undefined) {
      if (state === 'missing') throw missing()
      if (waiting.length >= waitingMax) throw busy()
      task = createTask(sql)
      asked.set(sql, task)
      waiting.push(task)
      if (loaded === undefined) void load().catch(() => undefined)
      else next()
    }
    const joined = task
    joined.waiting += 1
    const abort = () => leave(joined)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await joined.answer
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  const numberOf = (value: unknown) => (value === null || value === undefined ? null : Number(value))

  return {
    load,
    follow,
    drop,
    page: async (page, signal) =>
      (await ask(pageSql(page), signal)).map(([row, key, miles]): PageRow => [
        Number(row),
        Number(key),
        numberOf(miles),
      ]),
    count: async (criteria, signal) => Number((await ask(countSql(criteria), signal))[0]?.[0] ?? 0),
    facets: async (facets, signal) =>
      (await ask(facetsSql(facets), signal)).map(([group, a, b, c, count]): FacetRow => [
        String(group),
        numberOf(a),
        numberOf(b),
        numberOf(c),
        Number(count),
      ]),
    async since(criteria, after, signal) {
      const [row] = await ask(sinceSql(criteria, after), signal)
      return { count: Number(row?.[0] ?? 0), head: Number(row?.[1] ?? 0) }
    },
    hiddenSellers: (now) => [...(loaded?.hidden ?? [])].flatMap(([seller, until]) => (until > now ? seller : [])),
    figures: () => ({
      state: loaded === undefined ? state : 'ready',
      vehicles: loaded?.vehicles ?? 0,
      ageMs: loaded === undefined ? null : Date.now() - loaded.readAt,
      memoryMb: loaded?.memoryMb ?? null,
    }),
    close() {
      closed = true
      drop()
      for (const task of waiting.splice(0)) task.giveUp(faulty())
    },
  }
}

function withResolvers<T>() {
  let resolve!: (value: T) => void
  let reject!: (error: Error) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
