import { sql, type Kysely } from 'kysely'

/**
 * Access granted by admins, dealer licenses and their verification, the rule that only verified dealers may trade, deals submitted
 * for review, and answers to contact messages.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table entitlement_grants (
      dealer_id uuid not null references dealers on delete cascade,
      entitlement text not null check (entitlement in ('apiAccess')),
      granted_by uuid references dealers on delete set null,
      granted_at timestamptz not null default now(),
      primary key (dealer_id, entitlement)
    );

    -- It adds features to the Basic Plan that other plans include, so it is not offered with those.
    update add_ons set description = 'AI market position and sales analytics for the Basic Plan'
      where id = 'premium-add-on' and description = 'AI deal detection and analytics on any plan';

    -- A license waits from its submission until it is verified or rejected. A new number, state, expiry or scan submits it again.
    alter table dealers add column license_state text check (length(license_state) <= 60),
      add column license_expires_on date,
      add column license_scan text,
      add column license_submitted_at timestamptz,
      add column license_rejected_at timestamptz,
      add column license_rejected_reason text check (length(license_rejected_reason) <= 500);
    update dealers set license_submitted_at = created_at where license_number is not null;
    create index dealers_license_waiting on dealers (license_submitted_at, id)
      where license_submitted_at is not null and license_verified_at is null and license_rejected_at is null
        and deleted_at is null;
    create index dealers_license_scan on dealers (license_scan) where license_scan is not null;

    -- Settings of the network: one row.
    create table network_settings (
      only_row boolean primary key default true check (only_row),
      verified_only boolean not null default false,
      updated_at timestamptz not null default now()
    );
    insert into network_settings default values;

    -- Only submitted deals are reviewed. Deals decided before this column existed count as submitted when they were created.
    alter table deals add column review_submitted_at timestamptz;
    update deals set review_submitted_at = created_at where reviewed_at is not null;
    create index deals_submitted on deals (id desc) where review_submitted_at is not null;

    alter table contact_messages add column dealer_id uuid references dealers on delete set null;
    create index contact_messages_dealer on contact_messages (dealer_id) where dealer_id is not null;
    create table contact_answers (
      id uuid primary key default uuidv7(),
      message_id uuid not null references contact_messages on delete cascade,
      content text not null check (length(content) between 1 and 5000),
      sent_by uuid references dealers on delete set null,
      created_at timestamptz not null default now()
    );
    create index contact_answers_message on contact_answers (message_id, created_at);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table contact_answers, network_settings, entitlement_grants;
    alter table contact_messages drop column dealer_id;
    alter table deals drop column review_submitted_at;
    alter table dealers drop column license_state, drop column license_expires_on, drop column license_scan,
      drop column license_submitted_at, drop column license_rejected_at, drop column license_rejected_reason;`.execute(
    db,
  )
}
