import { sql } from 'kysely'
import { buyFeeNow } from '#server/features/dealers/buy-fee.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

const ended = (restMs: number) =>
  // Use the scheduled end if the auction was closed late.
  sql<boolean>`least(auctions.ends_at, auctions.closed_at) < clock_timestamp() - ${restMs} * interval '1 millisecond'`

/** Locks unsold demo auctions that ended more than `restMs` ago. Skips rows that other workers have locked. */
export async function listRested(tx: Tx, restMs: number, limit: number) {
  return tx
    .selectFrom('auctions')
    .innerJoin('posts', 'posts.id', 'auctions.postId')
    .select(['auctions.postId', 'auctions.sellerId', 'posts.title'])
    .where('auctions.demo', '=', true)
    .where('auctions.status', '=', 'no_sale')
    .where('auctions.endReason', 'is', null)
    .where('posts.status', '=', 'active')
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .where(ended(restMs))
    .orderBy('posts.createdAt')
    .limit(limit)
    .forUpdate(['auctions'])
    .skipLocked()
    .execute()
}

export async function listUndecided(db: Db, restMs: number) {
  return db
    .selectFrom('auctions')
    .select(['auctions.postId', 'auctions.sellerId', 'auctions.amountCents', 'auctions.reserveCents'])
    .where('auctions.demo', '=', true)
    .where('auctions.status', '=', 'deciding')
    .where(ended(restMs))
    .orderBy('auctions.createdAt')
    .execute()
}

export async function listTimes(db: Db): Promise<{ startsAt: Date; endsAt: Date }[]> {
  return db
    .selectFrom('auctions')
    .innerJoin('posts', 'posts.id', 'auctions.postId')
    .select(['auctions.startsAt', 'auctions.endsAt'])
    .where('auctions.demo', '=', true)
    .where('auctions.status', '=', 'open')
    .where('posts.status', '=', 'active')
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .execute()
}

export async function markDemo(tx: Tx, postId: string): Promise<void> {
  await tx.updateTable('auctions').set({ demo: true }).where('postId', '=', postId).execute()
}

/** Deletes an auction's bids and restarts it. Its `seq` keeps increasing. */
export async function restart(
  tx: Tx,
  postId: string,
  times: { startsAt: Date; endsAt: Date; hardEndsAt: Date },
): Promise<void> {
  await tx.deleteFrom('bidReceipts').where('postId', '=', postId).execute()
  await tx.deleteFrom('bids').where('postId', '=', postId).execute()
  await tx.deleteFrom('auctionBidders').where('postId', '=', postId).execute()
  await tx.deleteFrom('reserveChanges').where('postId', '=', postId).execute()
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
      ...times,
      ...buyFeeNow,
    })
    .where('postId', '=', postId)
    .execute()
}

export async function backdateBids(tx: Tx, postId: string, everyMs: number): Promise<void> {
  await sql`
    update bids set at = clock_timestamp() - (newest.seq - bids.seq + 1) * ${everyMs} * interval '1 millisecond'
    from (select max(seq) as seq from bids where post_id = ${postId}) newest where post_id = ${postId}`.execute(tx)
}

export async function listRunning(db: Db, now: Date) {
  return db
    .selectFrom('auctions')
    .innerJoin('posts', 'posts.id', 'auctions.postId')
    .select(['auctions.postId', 'auctions.sellerId', 'auctions.leaderId', 'auctions.amountCents', 'posts.title'])
    .select(['auctions.startCents', 'auctions.reserveCents', 'auctions.incrementCents'])
    .select(['auctions.startsAt', 'auctions.endsAt'])
    .select(sql<Date | null>`(select max(at) from bids where bids.post_id = auctions.post_id)`.as('lastBidAt'))
    .where('auctions.demo', '=', true)
    .where('auctions.status', '=', 'open')
    .where('auctions.startsAt', '<=', sql<Date>`clock_timestamp()`)
    .where('auctions.endsAt', '>', sql<Date>`${now}::timestamptz + interval '5 seconds'`)
    .orderBy('posts.createdAt', 'desc')
    .execute()
}
