import { sql, type Kysely } from 'kysely'

/** What is asked for beside the password: an authenticator app, passkeys, recovery codes; and sign-ins that wait for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Since when the account has any; what signing in looks at.
    alter table dealers add column second_factor_at timestamptz;
    -- Null: as the server's configuration has it.
    alter table network_settings add column staff_second_factor boolean;

    -- Secrets are sealed with a key of the server's. A new one waits until a code has shown that the app has it; the old one counts
    -- until then. last_step: of the newest code that was accepted; none up to it is accepted again.
    create table authenticators (
      dealer_id uuid primary key references dealers on delete cascade,
      secret bytea,
      confirmed_at timestamptz,
      last_step bigint not null default 0,
      waiting bytea,
      waiting_until timestamptz,
      check ((secret is null) = (confirmed_at is null)),
      check ((waiting is null) = (waiting_until is null))
    );

    create table passkeys (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      credential bytea not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null check (length(name) between 1 and 60),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkeys_of_dealer on passkeys (dealer_id, id);

    create table recovery_codes (
      dealer_id uuid not null references dealers on delete cascade,
      hash bytea not null,
      primary key (dealer_id, hash)
    );

    -- The first factor was right.
    create table waiting_sign_ins (
      hash bytea primary key,
      dealer_id uuid not null references dealers on delete cascade,
      tries integer not null default 0,
      expires_at timestamptz not null
    );
    create index waiting_sign_ins_of_dealer on waiting_sign_ins (dealer_id);

    -- What a passkey is asked to sign, once. Nobody's: whoever signs it says who they are.
    create table passkey_challenges (
      challenge bytea primary key,
      purpose text not null check (purpose in ('add', 'prove', 'second', 'sign-in')),
      dealer_id uuid references dealers on delete cascade,
      expires_at timestamptz not null,
      check ((purpose = 'sign-in') = (dealer_id is null))
    );
    create index passkey_challenges_of_dealer on passkey_challenges (dealer_id);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table passkey_challenges, waiting_sign_ins, recovery_codes, passkeys, authenticators;
    alter table network_settings drop column staff_second_factor;
    alter table dealers drop column second_factor_at;`.execute(db)
}
