import type pg from 'pg'
import { until } from './wait.ts'

/** Waits for the `count`-th blocked connection. Returns its pid. `watcher` must not be in a transaction, which sees only one snapshot. */
export const untilBlocked = (watcher: pg.Client, statement: string, count = 1): Promise<number> =>
  until(`${statement} to wait`, async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [statement],
    )
    return rows[count - 1]?.pid
  })
