import { sql } from 'kysely'
import type { InboxKind } from '#shared/events/notifications.ts'
import { planKept, type Db, type Tx } from '#server/platform/database/db.ts'
import type { InboxDomainEvents } from './notifications.events.ts'

/** Locks the dealers in the order of their ids to prevent deadlocks. */
export async function bumpRevs(tx: Tx, dealerIds: string[], what: InboxKind, id: string) {
  const { rows } = await sql<{ outboxId: string; payload: InboxDomainEvents['inbox.changed'] }>`
    with locked as (
      select id from dealers where id = any(${dealerIds}::uuid[]) order by id for no key update
    ), raised as (
      update dealers set rev = rev + 1 from locked where dealers.id = locked.id returning dealers.id, dealers.rev
    )
    insert into outbox (kind, name, payload)
    select 'event', 'inbox.changed',
      jsonb_build_object('dealerId', id, 'rev', rev, 'what', ${what}::text, 'id', ${id}::text)
    from raised returning id as outbox_id, payload`.execute(tx)
  return rows
}

export async function findRev(db: Db, dealerId: string): Promise<number> {
  const row = await db
    .selectFrom('dealers')
    .modifyFront(planKept)
    .select('rev')
    .where('id', '=', dealerId)
    .executeTakeFirst()
  return row?.rev ?? 0
}
