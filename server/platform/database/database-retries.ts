import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDatabaseDown, isOverdue, ProcessBusy } from './db.ts'

const retryMs = 1_000

const isPassing = (error: unknown): boolean => isDatabaseDown(error) || isOverdue(error) || error instanceof ProcessBusy

/** Retries every second if PostgreSQL is unreachable or slow, or this process is busy. @throws other errors, or AbortError if aborted */
export async function retryWhileDatabaseDown<T>(
  ask: () => Promise<T>,
  { signal, log, what }: { signal?: AbortSignal; log: Logger; what: string },
): Promise<T> {
  for (;;)
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error)) throw error
      log.warn({ err: error, what }, 'PostgreSQL did not respond in time: retrying')
      await pause(retryMs, undefined, { signal })
    }
}
