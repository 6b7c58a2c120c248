import { sql, type Kysely } from 'kysely'

/** What was offered for a vehicle is told after its seller has taken it out of the post: of a deal that came of it, and of a buy order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceKey(db, 'set null')
}

export async function down(db: Kysely<unknown>): Promise<void> {
  // Whose vehicle is gone would have gone with it.
  await sql`delete from offers where vehicle_id is null and source = 'offer'`.execute(db)
  await replaceKey(db, 'cascade')
}

const replaceKey = (db: Kysely<unknown>, onDelete: string) =>
  sql`
    alter table offers drop constraint offers_vehicle_id_fkey,
      add constraint offers_vehicle_id_fkey foreign key (vehicle_id) references vehicles on delete ${sql.raw(onDelete)};`.execute(
    db,
  )
