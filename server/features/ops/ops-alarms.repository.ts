import { sql } from 'kysely'
import type { Tx } from '#server/platform/db.ts'

/** How a queue was found by a check. */
interface Finding {
  queue: string
  failing: boolean
}

/**
 * Keeps what a check found that lasted from `from` to `to`, by the database's clock, and answers the queues whose failing it is the
 * first to find. Checks that lasted at the same time count as one: the finding of the later to say so is passed over.
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
