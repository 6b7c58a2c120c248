import type { DuckDBConnection } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { unavailable } from '#server/errors.ts'

/** A call asks up to three at once. */
const waitingMax = 150
/** The same question is answered once in this time. */
const sameForMs = 1_000
const rememberedMax = 500

const busy = () => unavailable('Many people are searching right now. Try again in a moment.')

interface Question {
  sql: string
  /** Who waits for the answer. */
  asking: number
  lane: DuckDBConnection | undefined
  answer: Promise<unknown[][]>
  resolve: (rows: unknown[][]) => void
  reject: (error: Error) => void
}

function question(sql: string): Question {
  let resolve: Question['resolve'] = () => undefined
  let reject: Question['reject'] = () => undefined
  const answer = new Promise<unknown[][]>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Whoever asked may have gone.
  answer.catch(() => undefined)
  return { sql, asking: 0, lane: undefined, answer, resolve, reject }
}

/**
 * Questions on their way: as many at a time as there are lanes, the others wait in order, and what nobody waits for any more is given up.
 * @param onFault a question failed that somebody waits for
 */
export class Lanes {
  readonly #waiting: Question[] = []
  readonly #asked = new LRUCache<string, Question>({ max: rememberedMax, ttl: sameForMs })
  readonly #onFault: (error: unknown) => Error
  #idle: DuckDBConnection[] = []
  #lanes: ReadonlySet<DuckDBConnection> = new Set()

  constructor(onFault: (error: unknown) => Error) {
    this.#onFault = onFault
  }

  /** From now on these answer; without any, questions wait. */
  use(lanes: readonly DuckDBConnection[]): void {
    this.#lanes = new Set(lanes)
    this.#idle = [...lanes]
    this.forget()
    this.#next()
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** What was answered is no longer so. */
  forget(): void {
    this.#asked.clear()
  }

  /** Nobody will answer those that wait. */
  refuse(error: Error): void {
    for (const one of this.#waiting.splice(0)) one.reject(error)
  }

  /** @throws AppError 503 where too many wait, or the question fails */
  async ask(sql: string, signal?: AbortSignal): Promise<unknown[][]> {
    const one = this.#asked.get(sql) ?? this.#add(sql)
    one.asking += 1
    const leave = () => this.#leave(one)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await one.answer
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #add(sql: string): Question {
    if (this.#waiting.length >= waitingMax) throw busy()
    const one = question(sql)
    this.#asked.set(sql, one)
    this.#waiting.push(one)
    this.#next()
    return one
  }

  #next(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const [lane, one] = [this.#idle.pop(), this.#waiting.shift()]
      if (lane !== undefined && one !== undefined) void this.#answer(lane, one)
    }
  }

  async #answer(lane: DuckDBConnection, one: Question): Promise<void> {
    one.lane = lane
    try {
      const read = await lane.runAndReadAll(one.sql)
      one.resolve(read.getRows())
    } catch (error) {
      this.#asked.delete(one.sql)
      const isMeant = one.asking === 0 || !this.#lanes.has(lane)
      one.reject(isMeant ? busy() : this.#onFault(error))
    } finally {
      one.lane = undefined
      if (this.#lanes.has(lane)) this.#idle.push(lane)
      this.#next()
    }
  }

  #leave(one: Question): void {
    one.asking -= 1
    if (one.asking > 0) return
    const place = this.#waiting.indexOf(one)
    // Of one that is answered by now the answer may be asked for again.
    if (place < 0 && one.lane === undefined) return
    this.#asked.delete(one.sql)
    one.lane?.interrupt()
    if (place >= 0) this.#waiting.splice(place, 1)[0]?.reject(busy())
  }
}
