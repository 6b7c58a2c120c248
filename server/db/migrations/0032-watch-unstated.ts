import { sql, type Kysely } from 'kysely'

/** A saved Find search may include vehicles without a year, price or mileage, in addition to a range or without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table find_watchers
      add column year_none boolean not null default false,
      add column price_none boolean not null default false,
      add column miles_none boolean not null default false;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table find_watchers drop column year_none, drop column price_none, drop column miles_none`.execute(db)
}
