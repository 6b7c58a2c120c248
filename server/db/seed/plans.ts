import { sql } from 'kysely'
import type { Seeder } from './seeder.ts'

/** Gives dealers free plans. When a dealer signs in, the plan becomes a paid plan at the payment stand-in. */
export const seedPlans: Seeder = async (tx) => {
  await sql`
    insert into subscriptions (dealer_id, plan_id, status, price_cents, current_period_end)
    select chosen.id, chosen.plan_id, 'active', plans.price_cents, now() + (1 + chosen.spread % 28) * interval '1 day'
    from (
      select dealers.id, hash.spread,
        case
          when dealers.role <> 'dealer' then 'premium'
          when hash.spread % 8 = 0 then 'enterprise'
          when hash.spread % 8 < 3 and network.size < 50 then 'basic'
          else 'premium'
        end as plan_id
      from dealers
      cross join lateral (select abs(hashtext(dealers.email::text)) as spread) as hash
      cross join lateral (select count(*) as size from connections where connections.dealer_id = dealers.id) as network
      where dealers.demo
    ) as chosen
    join plans on plans.id = chosen.plan_id
    on conflict do nothing`.execute(tx)
  await sql`
    insert into subscription_add_ons (subscription_id, add_on_id, price_cents)
    select subscriptions.id, add_ons.id, add_ons.price_cents
    from subscriptions
    join dealers on dealers.id = subscriptions.dealer_id and dealers.demo and dealers.role = 'dealer'
    cross join add_ons
    where subscriptions.plan_id = 'basic' and abs(hashtext(dealers.email::text)) % 10 < 3`.execute(tx)
}
