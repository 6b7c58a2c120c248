import { LRUCache } from 'lru-cache'
import { unavailable } from '#server/errors.ts'
import type { FindRequest, FindReply } from './search-format.ts'

const waitingMax = 50
/** Send two searches to the thread, so that it has the second as soon as it finishes the first. */
const underWayMax = 2
/** Identical searches within this many milliseconds share one answer. */
const sameForMs = 1_000
const rememberedMax = 500

const busy = () => unavailable('Many people are searching right now. Try again in a moment.')

type Answering = (ask: FindRequest) => Promise<FindReply>

interface Question {
  ask: FindRequest
  text: string
  asking: number
  answer: Promise<FindReply>
  resolve: (reply: FindReply) => void
  reject: (error: Error) => void
}

function question(ask: FindRequest, text: string): Question {
  let resolve: Question['resolve'] = () => undefined
  let reject: Question['reject'] = () => undefined
  const answer = new Promise<FindReply>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Prevents an unhandled rejection if no caller is waiting anymore.
  answer.catch(() => undefined)
  return { ask, text, asking: 0, answer, resolve, reject }
}

/** Queues searches for the Find thread. Drops a search once no caller waits for it. `onFault` returns the error for a failed search. */
export class SearchQueue {
  readonly #waiting: Question[] = []
  readonly #asked = new LRUCache<string, Question>({ max: rememberedMax, ttl: sameForMs })
  readonly #onFault: (error: unknown) => Error
  #underWay = 0
  #answering: Answering | undefined

  constructor(onFault: (error: unknown) => Error) {
    this.#onFault = onFault
  }

  use(answering: Answering | undefined): void {
    this.#answering = answering
    this.#underWay = 0
    this.forget()
    this.#next()
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  forget(): void {
    this.#asked.clear()
  }

  refuse(error: Error): void {
    for (const one of this.#waiting.splice(0)) one.reject(error)
  }

  /** @throws AppError 503 if too many searches are waiting, this search fails, or the caller has disconnected */
  async ask(ask: FindRequest, signal?: AbortSignal): Promise<FindReply> {
    if (signal?.aborted) throw busy()
    const text = JSON.stringify(ask)
    const one = this.#asked.get(text) ?? this.#add(ask, text)
    one.asking += 1
    const leave = () => this.#leave(one)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await one.answer
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #add(ask: FindRequest, text: string): Question {
    if (this.#waiting.length >= waitingMax) throw busy()
    const one = question(ask, text)
    this.#asked.set(text, one)
    this.#waiting.push(one)
    this.#next()
    return one
  }

  #next(): void {
    while (this.#answering !== undefined && this.#underWay < underWayMax) {
      const one = this.#waiting.shift()
      if (one === undefined) return
      void this.#answer(this.#answering, one)
    }
  }

  async #answer(answering: Answering, one: Question): Promise<void> {
    this.#underWay += 1
    try {
      one.resolve(await answering(one.ask))
    } catch (error) {
      this.#asked.delete(one.text)
      const isOver = this.#answering !== answering
      one.reject(isOver ? busy() : this.#onFault(error))
    }
    if (this.#answering !== answering) return
    this.#underWay -= 1
    this.#next()
  }

  #leave(one: Question): void {
    one.asking -= 1
    const place = this.#waiting.indexOf(one)
    if (one.asking > 0 || place < 0) return
    this.#asked.delete(one.text)
    this.#waiting.splice(place, 1)[0]?.reject(busy())
  }
}
