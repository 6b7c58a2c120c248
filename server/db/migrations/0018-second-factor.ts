import { sql, type Kysely } from 'kysely'

/** Second factors: authenticator apps, passkeys, recovery codes, and sign-ins that wait for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When the account got its first second factor. Sign-in checks this.
    alter table dealers add column second_factor_at timestamptz;
    -- Null: the server's configuration decides.
    alter table network_settings add column staff_second_factor boolean;

    -- Secrets are encrypted with the server's key. A new secret is pending until a code proves that the app has it; the old one is valid
    -- until then. last_step: time step of the newest accepted code. Codes up to it are refused.
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

    -- Sign-ins whose first factor was accepted.
    create table waiting_sign_ins (
      hash bytea primary key,
      dealer_id uuid not null references dealers on delete cascade,
      tries integer not null default 0,
      expires_at timestamptz not null
    );
    create index waiting_sign_ins_of_dealer on waiting_sign_ins (dealer_id);

    -- Challenges for passkeys, each for one use. Not tied to a dealer: the passkey identifies the dealer.
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
