import { sql, type Kysely } from 'kysely'

/**
 * A connection plans the statements inside `place_bids` once. Planned while the tables are small it would read all of
 * `bid_receipts` for every bid, and go on so until the next analyze: thousands of bids later in a busy minute.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter function place_bids(jsonb) set enable_seqscan = off`.execute(db)
}
