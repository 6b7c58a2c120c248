import { sql, type Kysely } from 'kysely'

/** Single-use links sent by mail, sign-in identities at other providers, and how far onboarding has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table auth_tokens (
      hash bytea primary key,
      dealer_id uuid not null references dealers on delete cascade,
      kind text not null check (kind in ('reset', 'verify')),
      email citext not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index auth_tokens_dealer on auth_tokens (dealer_id, kind)`.execute(db)
  await sql`
    create table identities (
      provider text not null check (provider in ('google')),
      subject text not null,
      dealer_id uuid not null references dealers on delete cascade,
      created_at timestamptz not null default now(),
      primary key (provider, subject)
    )`.execute(db)
  await sql`create unique index identities_dealer on identities (dealer_id, provider)`.execute(db)
  await sql`
    create table onboarding (
      dealer_id uuid primary key references dealers on delete cascade,
      profile jsonb not null default '{}',
      plan_id text references plans,
      updated_at timestamptz not null default now()
    )`.execute(db)
}
