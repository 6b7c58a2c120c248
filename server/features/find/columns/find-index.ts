import type { Logger } from 'pino'
import type { FindFigures } from '#shared/schemas/ops.ts'
import { unavailable } from '#server/errors.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { FindRequest, FindReply, Head } from './search-format.ts'
import { SearchQueue } from './search-queue.ts'
import { readAll, applyChanges, type LoadedIndex } from './follow.ts'

const followEveryMs = 500
/** Reload the whole index if the last update is older than this, because deleted rows may have been purged since. */
const staleMs = 3_600_000
const retryMs = 5_000
/** Maximum length in characters. A longer snapshot lists many open transactions, so everything since the oldest counts as new. */
const snapshotMax = 400

const faulty = () => unavailable('Find is reloading. Try again in a moment.')

/** In-memory index of all vehicles for sale, in its own thread. PostgreSQL is the source of truth. The first search loads the index. */
export class FindIndex {
  readonly #db: Db
  readonly #log: Logger
  readonly #questions: SearchQueue
  #held: LoadedIndex | undefined
  #loading: Promise<void> | undefined
  #following: Promise<void> | undefined
  #state: FindFigures['state'] = 'off'
  #wanted = false
  #closed = false
  #timer: NodeJS.Timeout | undefined

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db
    this.#log = log
    this.#questions = new SearchQueue((error) => {
      log.warn({ err: error }, 'Find failed: loading its index again')
      this.drop()
      return faulty()
    })
  }

  /** If `wanted` is set, loads the index now. The process then reports that it is not ready until the index is loaded. */
  start(wanted: boolean): void {
    this.#wanted = wanted
    if (wanted) this.load().catch(() => undefined)
  }

  readonly isLoaded = (): boolean => !this.#wanted || this.#held !== undefined

  figures(): FindFigures {
    const held = this.#held
    return {
      state: held === undefined ? this.#state : 'ready',
      vehicles: held?.vehicles ?? 0,
      ageMs: held === undefined ? null : Date.now() - held.readAt,
      memoryMb: held?.memoryMb ?? null,
    }
  }

  /** Reloads everything. The old index answers searches until the new one is ready. */
  async load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => (this.#loading = undefined))
    await this.#loading
  }

  async ready(): Promise<void> {
    if (this.#held === undefined) await this.load()
  }

  /** Applies changes from PostgreSQL. Once the promise resolves, searches see everything committed before the call. */
  async follow(): Promise<void> {
    // Updates run one after the other. Joining an update in progress is not enough: it may have read before the caller's commit.
    const before = this.#following ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => this.#step())
    this.#following = mine
    try {
      await mine
    } finally {
      if (this.#following === mine) this.#following = undefined
    }
  }

  /** Discards the index, for example after an error. The next search reloads it. */
  drop(): void {
    const old = this.#held
    this.#held = undefined
    this.#state = 'off'
    this.#questions.use(undefined)
    clearInterval(this.#timer)
    this.#timer = undefined
    old?.thread.close()
    if (this.#questions.hasWaiting && !this.#closed) this.load().catch(() => undefined)
  }

  close(): void {
    this.#closed = true
    this.drop()
    this.#questions.refuse(faulty())
  }

  head(): Head {
    const { readAt: at, snapshot } = this.#held ?? { readAt: 0, snapshot: '0:0:' }
    const [xmin = ''] = snapshot.split(':')
    return { at, snapshot: snapshot.length > snapshotMax ? `${xmin}:${xmin}:` : snapshot }
  }

  /** @throws the database's error if the index cannot be loaded; the errors of {@link SearchQueue.ask} */
  async ask(ask: FindRequest, signal?: AbortSignal): Promise<FindReply> {
    await this.ready()
    return this.#questions.ask(ask, signal)
  }

  async #read(): Promise<void> {
    if (this.#held === undefined) this.#state = 'loading'
    const began = performance.now()
    try {
      const held = await readAll(this.#db)
      const old = this.#held
      this.#held = held
      this.#state = 'ready'
      this.#questions.use((ask) => held.thread.call('ask', ask))
      old?.thread.close()
      if (this.#closed) return this.close()
      this.#timer ??= setInterval(() => this.#tick(), followEveryMs).unref()
      const ms = Math.round(performance.now() - began)
      this.#log.info({ vehicles: held.vehicles, ms }, 'the Find index is loaded')
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  #failed(error: unknown): void {
    if (this.#held === undefined) this.#state = 'off'
    this.#log.warn({ err: error }, 'the Find index could not be loaded')
    this.#questions.refuse(faulty())
    if (this.#wanted && !this.#closed) setTimeout(() => this.start(true), retryMs).unref()
  }

  /** Updates the index. While PostgreSQL is down, searches use the old data, and `figures` reports its age. */
  #tick(): void {
    if (this.#following === undefined)
      this.follow().catch((error: unknown) => this.#log.debug({ err: error }, 'the Find index could not be updated'))
  }

  async #step(): Promise<void> {
    const held = this.#held
    if (held === undefined || Date.now() - held.readAt > staleMs) return this.load()
    const { hasChanged, snapshot } = await applyChanges(held, this.#db)
    // Clear the cached answers together with the snapshot change, so that no old answer is returned with a new snapshot.
    if (hasChanged) this.#questions.forget()
    held.snapshot = snapshot
  }
}
