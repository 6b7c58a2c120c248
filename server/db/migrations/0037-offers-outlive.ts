import { sql, type Kysely } from 'kysely'

/** Keeps offers after the seller removes the vehicle from its post, because deals and buy orders refer to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceKey(db, 'set null')
}

export async function down(db: Kysely<unknown>): Promise<void> {
  // Offers on removed vehicles would have been deleted before.
  await sql`delete from offers where vehicle_id is null and source = 'offer'`.execute(db)
  await replaceKey(db, 'cascade')
}

const replaceKey = (db: Kysely<unknown>, onDelete: string) =>
  sql`
    alter table offers drop constraint offers_vehicle_id_fkey,
      add constraint offers_vehicle_id_fkey foreign key (vehicle_id) references vehicles on delete ${sql.raw(onDelete)};`.execute(
    db,
  )
