import { ApiError } from './api.ts'

const firstRetryMs = 1_000
const lastRetryMs = 30_000

/** Temporary errors: signed out, timeout, rate limit. */
const passing: ReadonlySet<number> = new Set([401, 408, 429])

/** True if the server refused permanently, so that a retry would not help. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && !passing.has(error.status)

export interface RetryClock {
  random: () => number
  after: (ms: number, run: () => void) => () => void
}

interface RetryParts {
  clock: RetryClock
  /** True once the owner has ended. Stops all retries. */
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

  /** @param error its `retryAt`, if any, takes precedence over the backoff */
  putOff(key: string, run: () => void, error?: unknown): void {
    const { clock, isOver } = this.#parts
    if (isOver()) return
    const tries = this.#attempts.get(key) ?? 0
    this.#attempts.set(key, tries + 1)
    const serverMs = error instanceof ApiError ? error.retryAfterMs : undefined
    // Jitter, so that not all clients return at once after an outage.
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

  /** Cancels all waiting retries, for a caller that retries at once. */
  callOffAll(): void {
    for (const callOff of this.#waiting.values()) callOff()
    this.#waiting.clear()
  }
}
