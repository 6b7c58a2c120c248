import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDatabaseDown, isOverdue, ProcessBusy } from './db.ts'

const askAgainMs = 1_000

/** Whether PostgreSQL may answer the same statement a moment later: it is out of reach, held up by a lock, or too busy. */
const isPassing = (error: unknown): boolean => isDatabaseDown(error) || isOverdue(error) || error instanceof ProcessBusy

/**
 * Repeats a statement once a second for as long as PostgreSQL is out of reach or too slow to answer it.
 * @throws any other error at once, and the reason of the signal
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { signal, log, what }: { signal?: AbortSignal; log: Logger; what: string },
): Promise<T> {
  for (;;)
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error)) throw error
      log.warn({ err: error, what }, 'PostgreSQL did not answer in time: asked again')
      await pause(askAgainMs, undefined, { signal })
    }
}
