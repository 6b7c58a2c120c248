import { sql, type Kysely } from 'kysely'

/** A new e-mail address waits here until the link mailed to it is opened; one per dealer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_changes (
      dealer_id uuid primary key references dealers on delete cascade,
      email citext not null check (length(email::text) between 3 and 254),
      expires_at timestamptz not null
    )`.execute(db)
}
