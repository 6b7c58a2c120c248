import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/db.ts'

interface Finding {
  queue: string
  failing: boolean
}

/**
 * Records the result of a check that ran from `from` to `to` (database time). Returns the queues that have just started to fail. If checks
 * overlap, only the first recorded result counts.
 */
export async function recordFindings(tx: Tx, findings: Finding[], { from, to }: { from: Date; to: Date }) {
  const { rows } = await sql<{ queue: string; begun: boolean; since: Date }>`
    insert into queue_alarms (queue, failing, since, checked_at)
    select queue, failing, ${from}, ${to}
    from unnest(${findings.map(({ queue }) => queue)}::text[], ${findings.map(({ failing }) => failing)}::boolean[])
      as found(queue, failing)
    order by queue
    on conflict (queue) do update set
      failing = excluded.failing,
      since = case when queue_alarms.failing = excluded.failing then queue_alarms.since else excluded.since end,
      checked_at = excluded.checked_at
    where queue_alarms.checked_at <= ${from}
    returning new.queue, new.since, new.failing and old.failing is not true as begun`.execute(tx)
  return rows.filter(({ begun }) => begun)
}
