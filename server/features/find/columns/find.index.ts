import type { Logger } from 'pino'
import type { FindFigures } from '#shared/schemas/ops.ts'
import { unavailable } from '#server/errors.ts'
import type { Db } from '#server/platform/db.ts'
import type { FindAsk, FindReply, Head } from './find-ask.ts'
import { Questions } from '../find-questions.ts'
import { readAll, readNews, type Held } from './find-reading.ts'

const followEveryMs = 500
/** Followed unsuccessfully for so long: what it missed may have been swept, so it reads all anew. */
const staleMs = 3_600_000
const retryMs = 5_000
/** With so many transactions under way what they and later ones wrote counts as not seen. */
const snapshotMax = 400

const faulty = () => unavailable('Find is reloading. Try again in a moment.')

/**
 * All vehicles on offer in the memory of this process, PostgreSQL the truth. How is known here and in the files that this one imports, and
 * nowhere else. It is asked in a thread of its own, and reads when it is asked first, or when `load` is called.
 */
export class FindIndex {
  readonly #db: Db
  readonly #log: Logger
  readonly #questions: Questions
  #held: Held | undefined
  #loading: Promise<void> | undefined
  #following: Promise<void> | undefined
  #state: FindFigures['state'] = 'off'
  #wanted = false
  #closed = false
  #timer: NodeJS.Timeout | undefined

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db
    this.#log = log
    this.#questions = new Questions((error) => {
      log.warn({ err: error }, 'Find failed and is read anew')
      this.drop()
      return faulty()
    })
  }

  /** Reads everything now instead of when it is asked first, where that is wanted: until then the process is not ready. */
  start(wanted: boolean): void {
    this.#wanted = wanted
    if (wanted) this.load().catch(() => undefined)
  }

  /** Nobody has to wait for it: it is read, or not wanted yet. */
  readonly isRead = (): boolean => !this.#wanted || this.#held !== undefined

  figures(): FindFigures {
    const held = this.#held
    return {
      state: held === undefined ? this.#state : 'ready',
      vehicles: held?.vehicles ?? 0,
      ageMs: held === undefined ? null : Date.now() - held.readAt,
      memoryMb: held?.memoryMb ?? null,
    }
  }

  /** Reads everything anew beside what is there, which answers meanwhile. */
  async load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => (this.#loading = undefined))
    await this.#loading
  }

  /** Resolves when there is something to ask. */
  async ready(): Promise<void> {
    if (this.#held === undefined) await this.load()
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
    const old = this.#held
    this.#held = undefined
    this.#state = 'off'
    this.#questions.use(undefined)
    clearInterval(this.#timer)
    this.#timer = undefined
    old?.thread.close()
    // Whoever waits has asked already.
    if (this.#questions.hasWaiting && !this.#closed) this.load().catch(() => undefined)
  }

  close(): void {
    this.#closed = true
    this.drop()
    this.#questions.refuse(faulty())
  }

  /** Of what is asked from now on. */
  head(): Head {
    const { readAt: at, snapshot } = this.#held ?? { readAt: 0, snapshot: '0:0:' }
    const [xmin = ''] = snapshot.split(':')
    return { at, snapshot: snapshot.length > snapshotMax ? `${xmin}:${xmin}:` : snapshot }
  }

  /** @throws AppError 503 where too many ask */
  async ask(ask: FindAsk, signal?: AbortSignal): Promise<FindReply> {
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
      this.#log.info({ vehicles: held.vehicles, ms }, 'Find has read what is on offer')
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  #failed(error: unknown): void {
    if (this.#held === undefined) this.#state = 'off'
    this.#log.warn({ err: error }, 'Find could not be read')
    this.#questions.refuse(faulty())
    if (this.#wanted && !this.#closed) setTimeout(() => this.start(true), retryMs).unref()
  }

  /** PostgreSQL away: the figures say since when, and what was read still answers. */
  #tick(): void {
    if (this.#following === undefined)
      this.follow().catch((error: unknown) => this.#log.debug({ err: error }, 'Find could not follow'))
  }

  async #step(): Promise<void> {
    const held = this.#held
    if (held === undefined || Date.now() - held.readAt > staleMs) return this.load()
    const { hasChanged, snapshot } = await readNews(held, this.#db)
    // Together: an answer of before never goes out with what is known now.
    if (hasChanged) this.#questions.forget()
    held.snapshot = snapshot
  }
}
