import { sql, type Kysely } from 'kysely'

/** Adds the average color of a picture, shown while it loads, and the view it shows, if known. */
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
