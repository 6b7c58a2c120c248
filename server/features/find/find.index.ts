import type { Logger } from 'pino'
import type { FindFigures } from '#shared/schemas/ops.ts'
import { AppError, unavailable } from '#server/errors.ts'
import type { Db } from '#server/platform/db.ts'
import { closeColumns, followColumns, noEngine, readColumns, type Columns } from './find-columns.ts'
import {
  countSql,
  facetsSql,
  pageSql,
  sinceSql,
  type Criteria,
  type FacetAsk,
  type Head,
  type PageAsk,
} from './find-index-sql.ts'
import { Lanes } from './find-lanes.ts'

/** One line of counts: of which group, its values, how many. */
export type FacetRow = [group: string, a: number | null, b: number | null, c: number | null, count: number]
export type PageRow = [rowNo: number, key: number, miles: number | null]

const followEveryMs = 500
/** Followed unsuccessfully for so long: what it missed may have been swept, so it reads all anew. */
const staleMs = 3_600_000
const retryMs = 5_000
/** With so many transactions under way what they and later ones wrote counts as not seen. */
const snapshotMax = 400

const faulty = () => unavailable('Find is being read anew. Try again in a moment.')
const numberOf = (value: unknown) => (value === null || value === undefined ? null : Number(value))

/**
 * All vehicles on offer in the memory of this process, PostgreSQL the truth. How is known here and in the files that this one imports, and
 * nowhere else. It is asked off the event loop, and reads when it is asked first, or when `load` is called.
 */
export class FindIndex {
  readonly #db: Db
  readonly #log: Logger
  readonly #lanes: Lanes
  #columns: Columns | undefined
  #loading: Promise<void> | undefined
  #following: Promise<void> | undefined
  #state: FindFigures['state'] = 'off'
  #wanted = false
  #closed = false
  #timer: NodeJS.Timeout | undefined

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db
    this.#log = log
    this.#lanes = new Lanes((error) => {
      log.warn({ err: error }, 'Find failed and is read anew')
      this.drop()
      return faulty()
    })
  }

  /** Reads everything now instead of when it is asked first, where that is wanted: until then the process is not ready. */
  start(wanted: boolean): void {
    this.#wanted = wanted
    // Without it the rest works, and whoever asks is told.
    if (wanted) this.load().catch(() => undefined)
  }

  /** Nobody has to wait for it: it is read, or not wanted yet, or cannot be had here. */
  readonly isRead = (): boolean => !this.#wanted || this.#columns !== undefined || this.#state === 'missing'

  figures(): FindFigures {
    const columns = this.#columns
    return {
      state: columns === undefined ? this.#state : 'ready',
      vehicles: columns?.vehicles ?? 0,
      ageMs: columns === undefined ? null : Date.now() - columns.readAt,
      memoryMb: columns?.memoryMb ?? null,
    }
  }

  /** Reads everything anew beside what is there, which answers meanwhile. @throws AppError 503 where this machine cannot hold it */
  async load(): Promise<void> {
    if (this.#state === 'missing') throw noEngine()
    this.#loading ??= this.#read().finally(() => (this.#loading = undefined))
    await this.#loading
  }

  /** Resolves when there is something to ask. @throws AppError 503 */
  async ready(): Promise<void> {
    if (this.#columns === undefined) await this.load()
  }

  /** Reads what has changed since the last time; at its end, commits of before it began are found. */
  async follow(): Promise<void> {
    // One after the other: what was begun before may have read before what its caller has just written.
    const before = this.#following ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => this.#step())
    this.#following = mine
    try {
      await mine
    } finally {
      if (this.#following === mine) this.#following = undefined
    }
  }

  /** Forgets all of it, as after a fault; the next question reads it anew. */
  drop(): void {
    const old = this.#columns
    this.#columns = undefined
    this.#state = 'off'
    this.#lanes.use([])
    clearInterval(this.#timer)
    this.#timer = undefined
    if (old !== undefined) closeColumns(old)
    // Whoever waits has asked already.
    if (this.#lanes.hasWaiting && !this.#closed) this.load().catch(() => undefined)
  }

  close(): void {
    this.#closed = true
    this.drop()
    this.#lanes.refuse(faulty())
  }

  /** Sellers of whom nothing is found at that moment. */
  hiddenSellers(now: number): number[] {
    return [...(this.#columns?.hidden ?? [])].flatMap(([seller, until]) => (until > now ? seller : []))
  }

  async page(ask: PageAsk, signal?: AbortSignal): Promise<PageRow[]> {
    const rows = await this.#ask(pageSql(ask), signal)
    return rows.map(([row, key, miles]) => [Number(row), Number(key), numberOf(miles)])
  }

  async count(criteria: Criteria, signal?: AbortSignal): Promise<number> {
    return Number((await this.#ask(countSql(criteria), signal))[0]?.[0] ?? 0)
  }

  async facets(ask: FacetAsk, signal?: AbortSignal): Promise<FacetRow[]> {
    const rows = await this.#ask(facetsSql(ask), signal)
    return rows.map(([group, a, b, c, count]) => [String(group), numberOf(a), numberOf(b), numberOf(c), Number(count)])
  }

  /** How many have come that whoever was answered with that head has not seen, whichever process answered. */
  async since(criteria: Criteria, head: Head, signal?: AbortSignal): Promise<number> {
    return Number((await this.#ask(sinceSql(criteria, head), signal))[0]?.[0] ?? 0)
  }

  /** Of what is asked from now on. */
  head(): Head {
    const { readAt: at, snapshot } = this.#columns ?? { readAt: 0, snapshot: '0:0:' }
    const [xmin = ''] = snapshot.split(':')
    return { at, snapshot: snapshot.length > snapshotMax ? `${xmin}:${xmin}:` : snapshot }
  }

  async #ask(sql: string, signal?: AbortSignal): Promise<unknown[][]> {
    await this.ready()
    return this.#lanes.ask(sql, signal)
  }

  async #read(): Promise<void> {
    if (this.#columns === undefined) this.#state = 'loading'
    const began = performance.now()
    try {
      const columns = await readColumns(this.#db)
      const old = this.#columns
      this.#columns = columns
      this.#state = 'ready'
      this.#lanes.use(columns.readers)
      if (old !== undefined) closeColumns(old)
      if (this.#closed) return this.close()
      this.#timer ??= setInterval(() => this.#tick(), followEveryMs).unref()
      const ms = Math.round(performance.now() - began)
      this.#log.info({ vehicles: columns.vehicles, ms }, 'Find has read what is on offer')
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  #failed(error: unknown): void {
    const isMissing = error instanceof AppError
    if (this.#columns === undefined) this.#state = isMissing ? 'missing' : 'off'
    this.#log.warn({ err: error }, isMissing ? 'Find has no engine on this machine' : 'Find could not be read')
    this.#lanes.refuse(isMissing ? noEngine() : faulty())
    if (!isMissing && this.#wanted && !this.#closed) setTimeout(() => this.start(true), retryMs).unref()
  }

  /** PostgreSQL away: the figures say since when, and what was read still answers. */
  #tick(): void {
    if (this.#following === undefined)
      this.follow().catch((error: unknown) => this.#log.debug({ err: error }, 'Find could not follow'))
  }

  async #step(): Promise<void> {
    const columns = this.#columns
    if (columns === undefined || Date.now() - columns.readAt > staleMs) return this.load()
    const { hasChanged, snapshot } = await followColumns(columns, this.#db)
    // Together: an answer of before never goes out with what is known now.
    if (hasChanged) this.#lanes.forget()
    columns.snapshot = snapshot
  }
}
