import { sql, type Kysely } from 'kysely'

/** A saved search without three letters or digits in a row is looked for by whole words alone, as in the feed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_searches alter column pattern drop not null`.execute(db)
  await sql`update saved_searches set pattern = null where pattern !~ '[[:alnum:]]{3}'`.execute(db)
}
