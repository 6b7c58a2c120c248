import { randomUUID, type UUID } from 'node:crypto'
import { patienceMs } from './patience.ts'

const pollMs = 10

/** Polls until the condition returns a value, and resolves to that value. @throws after the deadline, with `what` in the message */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = patienceMs,
): Promise<NonNullable<T>> {
  // Use a monotonic clock, because tests may change the time of day.
  const end = performance.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== null && value !== false) return value
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Repeats `call` while the server is busy and returns 503. Each repetition gets the same idempotency key, as in the client. */
export function untilTaken<Answer extends { status: number }>(call: (key: UUID) => Promise<Answer>): Promise<Answer> {
  const key = randomUUID()
  return until('an answer other than 503', async () => {
    const answer = await call(key)
    return answer.status === 503 ? undefined : answer
  })
}
