import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { BidRequest } from '../auctions.repository.ts'

/** Stores the maximum. A changed amount moves it behind the other dealers' maximums. Returns false if bidding is open or over. */
export async function upsertPreset(tx: Tx, postId: string, bidderId: string, cents: number): Promise<boolean> {
  const { rows } = await sql`
    insert into auction_presets as held (post_id, bidder_id, max_cents)
    select post_id, ${bidderId}, ${cents} from auctions
    where post_id = ${postId} and status = 'open' and starts_at > clock_timestamp()
    on conflict (post_id, bidder_id) do update set max_cents = excluded.max_cents, key = excluded.key,
      created_at = case when held.max_cents = excluded.max_cents then held.created_at else excluded.created_at end
    returning post_id`.execute(tx)
  return rows.length === 1
}

/** Returns false if bidding has opened, because the maximum then counts as a bid. */
export async function removePreset(tx: Tx, postId: string, bidderId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('auctionPresets')
    .where('postId', '=', postId)
    .where('bidderId', '=', bidderId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('auctions')
          .select('auctions.postId')
          .whereRef('auctions.postId', '=', 'auctionPresets.postId')
          .where((or) => or.or([or('status', '<>', 'open'), or('startsAt', '>', sql<Date>`clock_timestamp()`)])),
      ),
    )
    .executeTakeFirst()
  if (result.numDeletedRows === 1n) return true
  return (await findPreset(tx, postId, bidderId)) === undefined
}

async function findPreset(db: Db, postId: string, bidderId: string) {
  return db
    .selectFrom('auctionPresets')
    .select('maxCents')
    .where('postId', '=', postId)
    .where('bidderId', '=', bidderId)
    .executeTakeFirst()
}

export async function listPresets(db: Db, postId: string): Promise<BidRequest[]> {
  const rows = await db
    .selectFrom('auctionPresets')
    .select(['postId', 'bidderId', 'key', 'maxCents as cents'])
    .where('postId', '=', postId)
    .orderBy('createdAt')
    .orderBy('bidderId')
    .execute()
  return rows.map((row) => ({ ...row, kind: 'max' }))
}

/** Removes the maximums that have been placed. A maximum that was changed in the meantime has a new key, so it stays. */
export async function removePresets(tx: Tx, keys: string[]): Promise<void> {
  await tx.deleteFrom('auctionPresets').where('key', 'in', keys).execute()
}

export async function removePresetsOfPost(tx: Tx, postId: string, belowCents?: number) {
  let query = tx.deleteFrom('auctionPresets').where('postId', '=', postId)
  if (belowCents !== undefined) query = query.where('maxCents', '<', belowCents)
  return query.returning(['bidderId', 'key']).execute()
}

/** Locks the row, because the seller may be changing the start time. */
export async function lockOpening(tx: Tx, postId: string) {
  return tx
    .selectFrom('auctions')
    .select(['status', 'startsAt'])
    .select(sql<boolean>`starts_at <= clock_timestamp()`.as('hasStarted'))
    .where('postId', '=', postId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function listOverduePresets(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('auctionPresets')
    .innerJoin('auctions', 'auctions.postId', 'auctionPresets.postId')
    .select('auctionPresets.postId')
    .distinct()
    .where('auctions.startsAt', '<=', sql<Date>`clock_timestamp()`)
    .execute()
  return rows.map(({ postId }) => postId)
}

export async function removePresetsOf(tx: Tx, bidderId: string): Promise<void> {
  await tx.deleteFrom('auctionPresets').where('bidderId', '=', bidderId).execute()
}
