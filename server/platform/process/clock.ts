import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { createSingleFlight } from '../single-flight.ts'

export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database did not say what time it is')
  return row.now
}

const measuredEveryMs = 10_000

/** Returns a function that estimates the database's time without a query per call, from its last reading and a monotonic clock. */
export function createSharedClock(db: Db): () => Promise<Date> {
  /** Database time, in milliseconds since 1970, at which this process's `performance.now()` was zero. */
  const origins = createSingleFlight<number>(measuredEveryMs, { stale: true })
  const measure = async () => (await readClock(db)).getTime() - performance.now()
  return async () => new Date((await origins.forceFetch('origin', { context: measure })) + performance.now())
}
