import { sql, type Kysely } from 'kysely'

/**
 * Plans, what each dealer has, and what we know of the payment provider. No card data beyond brand and last four
 * digits is ever stored, and those stay with the provider.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plans (
      id text primary key,
      name text not null unique,
      price_cents integer not null check (price_cents >= 0),
      features text[] not null default '{}',
      connection_limit integer check (connection_limit > 0),
      position integer not null,
      active boolean not null default true,
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table add_ons (
      id text primary key,
      name text not null unique,
      description text not null default '',
      price_cents integer not null check (price_cents >= 0),
      active boolean not null default true,
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table billing_customers (
      dealer_id uuid primary key references dealers on delete cascade,
      stripe_id text not null unique,
      seq bigint not null default 0,
      synced_seq bigint not null default 0
    )`.execute(db)
  await sql`
    create table subscriptions (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      plan_id text not null references plans,
      stripe_id text unique,
      status text not null check (status in ('active', 'past_due', 'unpaid', 'trialing', 'incomplete', 'canceled')),
      price_cents integer not null check (price_cents >= 0),
      current_period_end timestamptz,
      cancel_at_period_end boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create unique index subscriptions_live on subscriptions (dealer_id)
      where status in ('active', 'past_due', 'unpaid', 'trialing')`.execute(db)
  await sql`
    create table stripe_events (
      id text primary key,
      type text not null,
      received_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    insert into plans (id, name, price_cents, connection_limit, position, features) values
      ('basic', 'Basic Plan', 9900, 50, 1,
        array['Up to 50 dealer connections', 'Feed, posts and comments', 'Messaging dock']),
      ('premium', 'Premium Plan', 14900, null, 2,
        array['Unlimited dealer connections', 'AI deal detection', 'Bill of Sale and analytics']),
      ('enterprise', 'Enterprise Plan', 19900, null, 3,
        array['Everything in Premium', 'Rooftop groups and shared inventory', 'Priority support'])`.execute(db)
  await sql`
    insert into add_ons (id, name, description, price_cents) values
      ('premium-add-on', 'Premium Add-on', 'AI deal detection and analytics on any plan', 5000)`.execute(db)
}
