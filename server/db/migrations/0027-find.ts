import { sql, type Kysely } from 'kysely'

/**
 * Find: vehicles across all posts. `refresh_find` derives `find_vehicles` from posts, vehicles, photos and auctions in the
 * transaction that writes those. Each api process follows `changed_xid` and keeps the rows as columns in memory.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPlaces(db)
  await createWords(db)
  await createVehicles(db)
}

/** Each version loads the rows from a file (server/db/data). A three-digit code is the center of the ZIP codes that begin with it. */
async function createPlaces(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table postal_places (
      id integer primary key generated always as identity,
      -- A US ZIP code, the first three digits of several, or the first three characters of a Canadian postal code.
      code text not null unique check (code ~ '^[0-9A-Z]{3,5}$'),
      lat real not null check (lat between -90 and 90),
      lng real not null check (lng between -180 and 180),
      city text not null,
      region text not null,
      country text not null check (country in ('US', 'CA'))
    );
    create index postal_places_city on postal_places (region, lower(city), code);
    create index postal_places_name on postal_places (lower(city));

    alter table dealers add column place_id integer references postal_places;
    comment on column postal_places.code is 'not personal';
    comment on column postal_places.city is 'not personal';
    comment on column postal_places.region is 'not personal';
    comment on column postal_places.country is 'not personal';`.execute(db)
}

/** `key` is the normalized word (`word_key`), `label` its first spelling. `parent_id` 0: a make. */
async function createWords(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table find_words (
      id integer primary key generated always as identity,
      kind text not null check (kind in ('make', 'model', 'trim')),
      parent_id integer not null,
      key text not null,
      label text not null,
      unique (parent_id, kind, key),
      check ((kind = 'make') = (parent_id = 0))
    );
    create index find_words_key on find_words (key);
    comment on column find_words.kind is 'not personal';
    comment on column find_words.key is 'not personal';
    comment on column find_words.label is 'not personal';`.execute(db)
}

/**
 * No foreign keys: a `gone` row tells the processes that its vehicle is no longer on offer, even after the vehicle was deleted. 0 in
 * `make_id`, `model_id`, `trim_id`, `body`, `drive` and `fuel` means not stated. For an open or scheduled auction, `price_cents` is
 * the highest bid or the starting amount when the row was written; later bids do not update it.
 */
async function createVehicles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table find_sellers (
      dealer_id uuid primary key,
      seller_no integer not null unique generated always as identity,
      rating real,
      -- Vehicles of these dealers are hidden until this time: the end of a suspension, or infinity for deleted dealers.
      hidden_until timestamptz,
      changed_xid xid8 not null default pg_current_xact_id()
    );
    create index find_sellers_changed on find_sellers (changed_xid);

    create table find_vehicles (
      vehicle_id uuid primary key,
      row_no integer not null unique generated always as identity,
      post_id uuid not null,
      seller_id uuid not null,
      make_id integer not null,
      model_id integer not null,
      trim_id integer not null,
      year smallint,
      price_cents bigint,
      mileage integer,
      body smallint not null,
      drive smallint not null,
      fuel smallint not null,
      starts_at timestamptz,
      ends_at timestamptz,
      has_photos boolean not null,
      place_id integer,
      posted_at timestamptz not null,
      gone boolean not null default false,
      changed_xid xid8 not null default pg_current_xact_id(),
      changed_at timestamptz not null default now(),
      check ((starts_at is null) = (ends_at is null))
    );
    create index find_vehicles_post on find_vehicles (post_id);
    create index find_vehicles_seller on find_vehicles (seller_id);
    create index find_vehicles_changed on find_vehicles (changed_xid);
    create index find_vehicles_model on find_vehicles (make_id, model_id, year) where not gone;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table find_vehicles, find_sellers, find_words;
    alter table dealers drop column place_id;
    drop table postal_places;`.execute(db)
}
