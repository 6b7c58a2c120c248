import { sql } from 'kysely'
import type { Entitlement } from '#shared/entitlements.ts'
import type { SubscriptionStatus } from '#shared/schemas/billing.ts'
import type { Db } from '#server/platform/database/db.ts'
import { liveStatuses } from './plan-statuses.ts'

/** While billing is off, every dealer has at least the Premium Plan. */
export async function findRights(db: Db, dealerId: string) {
  const { rows } = await sql<{
    planId: string | null
    status: SubscriptionStatus | null
    addOnIds: string[]
    granted: Entitlement[]
    billing: boolean
    planRequired: boolean
  }>`
    select case when billing or live.plan_id = 'enterprise' then live.plan_id else 'premium' end as "planId",
      case when billing then live.status else 'active' end as status, billing,
      (select n.plan_required from network_settings n) as "planRequired",
      array(select add_on_id from subscription_add_ons where subscription_id = live.id) as "addOnIds",
      array(select entitlement from entitlement_grants where dealer_id = ${dealerId}::uuid) as granted
    from (select coalesce(current_setting('lanewire.billing', true), '') <> 'off' as billing) as network
    left join subscriptions live on live.dealer_id = ${dealerId}::uuid and live.status = any(${liveStatuses}::text[])`.execute(
    db,
  )
  return rows[0] ?? { planId: null, status: null, addOnIds: [], granted: [], billing: true, planRequired: false }
}

export async function countConnections(db: Db, dealerId: string): Promise<number> {
  const row = await db
    .selectFrom('connections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dealerId', '=', dealerId)
    .executeTakeFirstOrThrow()
  return row.count
}
