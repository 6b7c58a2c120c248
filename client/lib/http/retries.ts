import { ApiError } from './api.ts'

const firstRetryMs = 1_000
const lastRetryMs = 30_000

/** Status codes below 500 of errors that may pass: signed out, timeout and rate limit. */
const passing: ReadonlySet<number> = new Set([401, 408, 429])

/** True if the server rejected the request permanently, so a retry would not help. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && !passing.has(error.status)

export interface RetryClock {
  random: () => number
  after: (ms: number, run: () => void) => () => void
}

interface RetryParts {
  clock: RetryClock
  /** True once the owner of these retries is closed. From then on, nothing is scheduled. */
  isOver: () => boolean
}

export const browserRetryClock: RetryClock = {
  random: Math.random,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export class Retries {
  readonly #parts: RetryParts
  readonly #waiting = new Map<string, () => void>()
  readonly #attempts = new Map<string, number>()

  constructor(parts: RetryParts) {
    this.#parts = parts
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key)
  }

  /** Runs `run` after a backoff. @param error if the server named a time to wait, it replaces the backoff */
  schedule(key: string, run: () => void, error?: unknown): void {
    const { clock, isOver } = this.#parts
    if (isOver()) return
    const tries = this.#attempts.get(key) ?? 0
    this.#attempts.set(key, tries + 1)
    const serverMs = error instanceof ApiError ? error.retryAfterMs : undefined
    // Add jitter, so that clients do not all retry at the same moment after an outage.
    const backOffMs = Math.min(lastRetryMs, firstRetryMs * 2 ** tries) * (0.75 + clock.random() / 2)
    this.#waiting.get(key)?.()
    const cancel = clock.after(serverMs ?? backOffMs, () => {
      this.#waiting.delete(key)
      run()
    })
    this.#waiting.set(key, cancel)
  }

  succeed(key: string): void {
    this.#attempts.delete(key)
    this.#waiting.get(key)?.()
    this.#waiting.delete(key)
  }

  cancelAll(): void {
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
  }
}
