import { sql, type Kysely } from 'kysely'

/** A saved search of Find may look for vehicles without a year, a price or a mileage: beside those of its range, or for them alone. */
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
