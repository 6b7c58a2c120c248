import { ApiError } from '#client/lib/api.ts'
import type { ClientParts } from './parts.ts'

const firstRetryMs = 1_000
const lastRetryMs = 30_000

/** Signed out, too slow, too fast: it will pass. */
const passing: ReadonlySet<number> = new Set([401, 408, 429])

/** The server has said no: asking again changes nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && !passing.has(error.status)

/** Other tries of what has failed, each after a longer time than the one before, until one succeeds. */
export class Retries {
  readonly #parts: Pick<ClientParts, 'clock' | 'isOver'>
  /** What waits for another try: how to call it off. */
  readonly #waiting = new Map<string, () => void>()
  /** How often it has been put off since its last success. */
  readonly #putOff = new Map<string, number>()

  constructor(parts: Pick<ClientParts, 'clock' | 'isOver'>) {
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
