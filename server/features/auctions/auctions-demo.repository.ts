import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db.ts'
import { isSuspended } from '#server/platform/suspension.ts'

/** Demo auctions that ended a while ago, but for those that their seller has ended, locked; another worker's are skipped. */
export async function listRested(tx: Tx, restMs: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('auctions')
    .select('postId')
    .where('demo', '=', true)
    .where('status', '<>', 'open')
    .where('endReason', 'is', null)
    // One that ended while nobody was there to close it has rested since its end.
    .where(sql<boolean>`least(ends_at, closed_at) < clock_timestamp() - ${restMs} * interval '1 millisecond'`)
    .orderBy('postId')
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => row.postId)
}

/** Begins an auction anew: no bids, `ageMs` old, ending in `lastsMs`. Its number keeps rising. */
export async function restart(
  tx: Tx,
  postId: string,
  ageMs: number,
  lastsMs: number,
  hardAfterMs: number,
): Promise<void> {
  await tx.deleteFrom('bidReceipts').where('postId', '=', postId).execute()
  await tx.deleteFrom('bids').where('postId', '=', postId).execute()
  await tx.deleteFrom('auctionBidders').where('postId', '=', postId).execute()
  const fromNow = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`
  await tx
    .updateTable('auctions')
    .set({
      status: 'open',
      seq: sql<number>`seq + 1`,
      amountCents: null,
      leaderId: null,
      leaderMaxCents: null,
      bidCount: 0,
      bidderCount: 0,
      closedAt: null,
      endReason: null,
      startsAt: fromNow(-ageMs),
      endsAt: fromNow(lastsMs),
      hardEndsAt: fromNow(lastsMs + hardAfterMs),
    })
    .where('postId', '=', postId)
    .execute()
}

/** Spreads the opening bids over the time before now. */
export async function backdateBids(tx: Tx, postId: string, everyMs: number): Promise<void> {
  await sql`
    update bids set at = clock_timestamp() - (newest.seq - bids.seq + 1) * ${everyMs} * interval '1 millisecond'
    from (select max(seq) as seq from bids where post_id = ${postId}) newest where post_id = ${postId}`.execute(tx)
}

export async function listDemoVehicles(tx: Tx, postId: string) {
  return tx.selectFrom('vehicles').select(['id', 'vin']).where('postId', '=', postId).execute()
}

/** Open demo auctions with what a demo bidder has to know. */
export async function listRunning(db: Db) {
  return db
    .selectFrom('auctions')
    .innerJoin('posts', 'posts.id', 'auctions.postId')
    .select([
      'auctions.postId',
      'auctions.leaderId',
      'auctions.amountCents',
      'auctions.startCents',
      'auctions.reserveCents',
    ])
    .select('auctions.incrementCents')
    .where('auctions.demo', '=', true)
    .where('auctions.status', '=', 'open')
    .where('auctions.endsAt', '>', sql<Date>`clock_timestamp() + interval '5 seconds'`)
    .execute()
}

/** Dealers of the demo network whom nobody is signed in as, without those who are known by name. */
export async function listDemoBidders(db: Db, known: readonly string[], limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('dealers')
    .select('id')
    .where('demo', '=', true)
    .where('role', '=', 'dealer')
    .where('email', 'not in', known)
    .where('email', 'not like', 'demo-%')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('auctions').select('postId').whereRef('sellerId', '=', 'dealers.id'))),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('sessions')
            .select('dealerId')
            .whereRef('dealerId', '=', 'dealers.id')
            .where('expiresAt', '>', sql<Date>`now()`),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
