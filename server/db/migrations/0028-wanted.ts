import { sql, type Kysely } from 'kysely'

/**
 * Buy orders, saved Find searches, and the watchers that match vehicles with both. Also the notified vehicles per dealer, the matches
 * of an order, and the VINs that a dealer checked for demand.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table buy_orders (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      -- As typed; find_watchers has the normalized words.
      make text not null check (length(make) between 1 and 60),
      model text not null check (length(model) between 1 and 80),
      trims text[] not null default '{}',
      near text not null default '' check (length(near) <= 10),
      -- Price per vehicle, visible to sellers of a matching vehicle.
      price_cents bigint not null check (price_cents > 0),
      per_month integer not null check (per_month between 1 and 50),
      show_name boolean not null default false,
      note text not null default '' check (length(note) <= 200),
      status text not null default 'active' check (status in ('active', 'paused', 'ended')),
      pause_reason text check (pause_reason in ('self', 'unanswered')),
      expires_at timestamptz not null,
      priced_at timestamptz not null default clock_timestamp(),
      -- Matches after this time count as unanswered.
      answered_at timestamptz not null default clock_timestamp(),
      version bigint not null default 1,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      check ((status = 'paused') = (pause_reason is not null))
    );
    create index buy_orders_dealer on buy_orders (dealer_id, id desc);
    create index buy_orders_expiring on buy_orders (expires_at) where status <> 'ended';
    comment on column buy_orders.make is 'not personal';
    comment on column buy_orders.model is 'not personal';
    comment on column buy_orders.trims is 'not personal';
    comment on column buy_orders.near is 'personal: delete; export: yes';
    comment on column buy_orders.note is 'personal: delete; export: yes';

    alter table saved_searches
      add column kind text not null default 'feed' check (kind in ('feed', 'find')),
      add column find_query jsonb,
      add check ((kind = 'find') = (find_query is not null));
    comment on column saved_searches.find_query is 'personal: delete; export: yes';
    -- New posts are compared with each saved search of the feed; those of Find have watchers.
    create index saved_searches_feed on saved_searches (dealer_id, created_at) where kind = 'feed';

    alter table offers add column buy_order_id uuid references buy_orders on delete set null;
    create index offers_order on offers (buy_order_id) where buy_order_id is not null;`.execute(db)
  await createWatchers(db)
  await sql`
    create table buy_order_matches (
      order_id uuid not null references buy_orders on delete cascade,
      vehicle_id uuid not null references vehicles on delete cascade,
      at timestamptz not null default clock_timestamp(),
      state text not null default 'new' check (state in ('new', 'seen', 'offered', 'dismissed')),
      primary key (order_id, vehicle_id)
    );
    create index buy_order_matches_newest on buy_order_matches (order_id, at desc);
    create index buy_order_matches_vehicle on buy_order_matches (vehicle_id);

    -- Each dealer is notified of a vehicle once, by whichever search or order matches first.
    create table find_alerts (
      dealer_id uuid not null references dealers on delete cascade,
      vehicle_id uuid not null references vehicles on delete cascade,
      at timestamptz not null default clock_timestamp(),
      -- Waits for the hourly digest.
      gathered boolean not null default false,
      primary key (dealer_id, vehicle_id)
    );
    create index find_alerts_newest on find_alerts (dealer_id, at desc);
    create index find_alerts_vehicle on find_alerts (vehicle_id);

    -- Dealers who check the demand for many vehicles without posting them see only counts.
    create table demand_asks (
      dealer_id uuid not null references dealers on delete cascade,
      vin text not null check (length(vin) = 17),
      asked_at timestamptz not null default clock_timestamp(),
      primary key (dealer_id, vin)
    );
    create index demand_asks_newest on demand_asks (asked_at);
    comment on column demand_asks.vin is 'personal: delete; export: yes';`.execute(db)
}

/** One row per order, and one per make, model or trim of a saved search. Null means any value; prices are in cents. */
async function createWatchers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table find_watchers (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      search_id uuid references saved_searches on delete cascade,
      order_id uuid unique references buy_orders on delete cascade,
      active boolean not null default true,
      -- Normalized by word_key; empty: not stated.
      make_key text,
      model_key text,
      trim_keys text[],
      year_min integer,
      year_max integer,
      price_min bigint,
      price_max bigint,
      miles_min integer,
      miles_max integer,
      place_id integer,
      radius integer,
      bodies smallint[],
      drives smallint[],
      fuels smallint[],
      sales smallint[],
      connected_only boolean not null default false,
      rating_min numeric,
      photos_only boolean not null default false,
      check (num_nonnulls(search_id, order_id) = 1)
    );
    create index find_watchers_search on find_watchers (search_id);
    create index find_watchers_dealer on find_watchers (dealer_id);
    create index find_watchers_vehicle on find_watchers (make_key, model_key) where active;
    comment on column find_watchers.make_key is 'not personal';
    comment on column find_watchers.model_key is 'not personal';
    comment on column find_watchers.trim_keys is 'not personal';`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table demand_asks, find_alerts, buy_order_matches, find_watchers;
    alter table offers drop column buy_order_id;
    delete from saved_searches where kind = 'find';
    alter table saved_searches drop column find_query, drop column kind;
    drop table buy_orders;`.execute(db)
}
