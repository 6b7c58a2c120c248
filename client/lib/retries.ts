import { ApiError } from './api.ts'

const firstRetryMs = 1_000
const lastRetryMs = 30_000

/** Signed out, too slow, too fast: it will pass. */
const passing: ReadonlySet<number> = new Set([401, 408, 429])

/** The server has said no: asking again changes nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && !passing.has(error.status)

/** What a retry needs of time. */
export interface RetryClock {
  /** 0 to 1. */
  random: () => number
  /** Answers how to call it off. */
  after: (ms: number, run: () => void) => () => void
}

interface RetryParts {
  clock: RetryClock
  /** Whoever tries has ended: nothing is tried any more. */
  isOver: () => boolean
}

export const browserRetryClock: RetryClock = {
  // For the jitter of retries.
  random: Math.random,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Other tries of what has failed, each after a longer time than the one before, until one succeeds. */
export class Retries {
  readonly #parts: RetryParts
  /** What waits for another try: how to call it off. */
  readonly #waiting = new Map<string, () => void>()
  /** How often it has been put off since its last success. */
  readonly #putOff = new Map<string, number>()

  constructor(parts: RetryParts) {
    this.#parts = parts
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key)
  }

  /** @param error says how long to wait where the server did */
  putOff(key: string, run: () => void, error?: unknown): void {
    const { clock, isOver } = this.#parts
    if (isOver()) return
    const tries = this.#putOff.get(key) ?? 0
    this.#putOff.set(key, tries + 1)
    const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined
    // Jitter, so that all clients of a server that is back do not come at once.
    const backOffMs = Math.min(lastRetryMs, firstRetryMs * 2 ** tries) * (0.75 + clock.random() / 2)
    this.#waiting.get(key)?.()
    const callOff = clock.after(askedMs ?? backOffMs, () => {
      this.#waiting.delete(key)
      run()
    })
    this.#waiting.set(key, callOff)
  }

  /** The next failure is a first one again. */
  succeed(key: string): void {
    this.#putOff.delete(key)
    this.#waiting.get(key)?.()
    this.#waiting.delete(key)
  }

  /** Nothing waits any more: whoever says so tries at once. */
  callOffAll(): void {
    for (const callOff of this.#waiting.values()) callOff()
    this.#waiting.clear()
  }
}
