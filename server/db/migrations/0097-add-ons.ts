import { sql, type Kysely } from 'kysely'

/** Add-ons that dealers have beside their plan, each at the price it was taken for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscription_add_ons (
      subscription_id uuid not null references subscriptions on delete cascade,
      add_on_id text not null references add_ons,
      price_cents integer not null check (price_cents >= 0),
      primary key (subscription_id, add_on_id)
    )`.execute(db)
  await sql`create index subscription_add_ons_users on subscription_add_ons (add_on_id)`.execute(db)
}
