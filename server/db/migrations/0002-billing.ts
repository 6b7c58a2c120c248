import { sql, type Kysely } from 'kysely'

/** Plans, subscriptions, and ids of the payment provider. No card data is stored; the provider has brand and last four digits. */
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
    );
    insert into plans (id, name, price_cents, connection_limit, position, features) values
      ('basic', 'Basic Plan', 9900, 50, 1,
        array['Up to 50 dealer connections', 'Feed, posts and comments', 'Messaging dock']),
      ('premium', 'Premium Plan', 14900, null, 2,
        array['Unlimited dealer connections', 'AI deal detection', 'Bill of Sale and analytics']),
      ('enterprise', 'Enterprise Plan', 19900, null, 3,
        array['Everything in Premium', 'API access', 'Named support']);

    create table add_ons (
      id text primary key,
      name text not null unique,
      description text not null default '',
      price_cents integer not null check (price_cents >= 0),
      active boolean not null default true,
      updated_at timestamptz not null default now()
    );
    insert into add_ons (id, name, description, price_cents) values
      ('premium-add-on', 'Premium Add-on', 'AI deal detection and analytics on any plan', 5000);`.execute(db)
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
    );
    create unique index subscriptions_live on subscriptions (dealer_id)
      where status in ('active', 'past_due', 'unpaid', 'trialing');

    -- Add-ons, each at the price agreed when it was bought.
    create table subscription_add_ons (
      subscription_id uuid not null references subscriptions on delete cascade,
      add_on_id text not null references add_ons,
      price_cents integer not null check (price_cents >= 0),
      primary key (subscription_id, add_on_id)
    );
    create index subscription_add_ons_users on subscription_add_ons (add_on_id);

    create table billing_customers (
      dealer_id uuid primary key references dealers on delete cascade,
      stripe_id text not null unique,
      seq bigint not null default 0,
      synced_seq bigint not null default 0
    );

    create table stripe_events (
      id text primary key,
      type text not null,
      received_at timestamptz not null default now()
    );

    -- The step of sign-up that a dealer has reached; the last one is the choice of a plan.
    create table onboarding (
      dealer_id uuid primary key references dealers on delete cascade,
      profile jsonb not null default '{}',
      plan_id text references plans,
      updated_at timestamptz not null default now()
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table onboarding, stripe_events, billing_customers, subscription_add_ons, subscriptions, add_ons, plans`.execute(
    db,
  )
}
