import { sql, type Kysely } from 'kysely'

/** Auctions of the demo network, which open again some time after they end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auctions add column demo boolean not null default false`.execute(db)
}
