import { sql } from 'kysely'
import type { Db } from './db.ts'
import { createSingleFlight } from './single-flight.ts'

/** Now by the database's clock, the one that all processes share. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database did not say what time it is')
  return row.now
}

const measuredEveryMs = 10_000

/** The same without asking each time: counted on from the last answer by what a process measures time with. */
export function createSharedClock(db: Db): () => Promise<Date> {
  /** What the shared clock said when this process' counter stood at zero. */
  const origins = createSingleFlight<number>(measuredEveryMs, { stale: true })
  const measure = async () => (await readClock(db)).getTime() - performance.now()
  return async () => new Date((await origins.forceFetch('origin', { context: measure })) + performance.now())
}
