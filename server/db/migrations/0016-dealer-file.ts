import { sql, type Kysely } from 'kysely'

/** Actions of admins for one dealer: plans granted until a date, refunds, and notes that the dealer never sees. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Granted plans cost nothing.
    alter table subscriptions
      add column given_until timestamptz,
      add constraint subscriptions_given check (given_until is null or stripe_id is null);

    -- Stored before the provider is called, under the caller's key. A refund that is neither done nor refused is still pending.
    create table refunds (
      id uuid primary key default uuidv7(),
      key uuid not null unique,
      dealer_id uuid not null references dealers on delete cascade,
      invoice_id text not null,
      invoice_number text not null,
      amount_cents integer not null check (amount_cents > 0),
      reason text not null check (length(reason) between 3 and 500),
      created_at timestamptz not null default now(),
      done_at timestamptz,
      refusal text,
      check (done_at is null or refusal is null)
    );
    create index refunds_of_dealer on refunds (dealer_id, id desc);
    create index refunds_of_invoice on refunds (invoice_id);
    create index refunds_done on refunds (done_at);

    create table dealer_notes (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      author_id uuid not null references dealers on delete cascade,
      text text not null check (length(text) between 1 and 2000),
      created_at timestamptz not null default now()
    );
    create index dealer_notes_newest on dealer_notes (dealer_id, id desc);

    create index reports_by on reports (reporter_id, id desc);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index reports_by;
    drop table dealer_notes, refunds;
    alter table subscriptions drop column given_until;`.execute(db)
}
