import { patienceMs } from './patience.ts'

const pollMs = 10

/**
 * Resolves once the condition holds, with the value it returned.
 * @throws when it does not hold in time: the message says what was waited for.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = patienceMs,
): Promise<NonNullable<T>> {
  // Tests may set the time of day.
  const end = performance.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== null && value !== false) return value
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Repeats a call while a busy server refuses it: 503 says that nothing was done. Answers the first other answer. */
export const untilTaken = <Answer extends { status: number }>(call: () => Promise<Answer>): Promise<Answer> =>
  until('an answer other than 503', async () => {
    const answer = await call()
    return answer.status === 503 ? undefined : answer
  })
