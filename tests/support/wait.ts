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

/** Repeats `call` while the server is busy and returns 503. */
export const untilTaken = <Answer extends { status: number }>(call: () => Promise<Answer>): Promise<Answer> =>
  until('an answer other than 503', async () => {
    const answer = await call()
    return answer.status === 503 ? undefined : answer
  })
