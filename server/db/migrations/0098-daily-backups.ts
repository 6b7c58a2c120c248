import { sql, type Kysely } from 'kysely'

/** A daily backup names the moment it is for: two workers that find it due at once make one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table backups add column scheduled_for timestamptz unique`.execute(db)
}
