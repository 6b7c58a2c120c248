import { sql, type Kysely } from 'kysely'

/** The suspended dealers, newest first: the admin's list of them, and how many of all are not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index dealers_suspended on dealers (id desc, suspended_until)
      where suspended_at is not null and deleted_at is null`.execute(db)
}
