import { sql, type Kysely } from 'kysely'

/** Of a picture: its average colour, for its place while it loads, and what it shows where that is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table objects
      add column tint text check (tint ~ '^#[0-9a-f]{6}$'),
      add column shows text check (shows in ('front', 'side', 'rear', 'dash', 'odometer', 'damage'));
    comment on column objects.tint is 'not personal';
    comment on column objects.shows is 'not personal'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table objects drop column tint, drop column shows`.execute(db)
}
