import { sql } from 'kysely'
import { bidIncrements, softCloseMs } from '#shared/limits.ts'
import type { AuctionStatus, BidRefusal } from '#shared/schemas/auctions.ts'
import { paidStatuses } from '#shared/schemas/billing.ts'
import { buyFeeNow } from '#server/features/dealers/buy-fee.rows.ts'
import { lockWait, type Db, type Tx } from '#server/platform/database/db.ts'
import { centsPerDollar } from '#server/platform/money.ts'
import type { AuctionRow } from './auctions.rows.ts'

export interface AuctionSetup {
  startCents: number
  reserveCents: number | null
  startsAt: Date
  endsAt: Date
  hardEndsAt: Date
}

export async function insertAuction(tx: Tx, postId: string, sellerId: string, setup: AuctionSetup): Promise<void> {
  await tx
    .insertInto('auctions')
    .values({ postId, sellerId, incrementCents: bidIncrements[0] * centsPerDollar, ...setup, ...buyFeeNow })
    .execute()
}

/** Changes the terms of an auction without bids. If it has ended, restarts it. Returns false if the terms cannot be changed. */
export async function updateTerms(tx: Tx, postId: string, setup: AuctionSetup): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ ...setup, ...buyFeeNow, status: 'open', closedAt: null, endReason: null, seq: sql<number>`seq + 1` })
    .where('postId', '=', postId)
    .where('status', 'in', ['open', 'no_sale'])
    .where('bidCount', '=', 0)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('posts')
          .select('id')
          .where('id', '=', postId)
          .where('status', '=', 'active')
          .where('deletedAt', 'is', null)
          .where('hiddenAt', 'is', null),
      ),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Finds an auction that prevents the dealer from deleting their account: the dealer leads it, or sells it and has to honor a bid. */
export async function findBinding(db: Db, dealerId: string): Promise<{ title: string; sells: boolean } | undefined> {
  const { rows } = await sql<{ title: string; sells: boolean }>`
    select title, p.dealer_id = ${dealerId} as sells from auctions a join posts p on p.id = a.post_id
    where p.deleted_at is null and (a.leader_id = ${dealerId} and a.status = 'open'
      or p.dealer_id = ${dealerId} and a.status in ('open', 'deciding') and a.bid_count > 0) limit 1`.execute(db)
  return rows[0]
}

type BidColumns = { bidSeq: number; bidCents: number; bidder: number; auto: boolean; at: Date } | { bidSeq: null }

export async function listStates(db: Db, postIds: string[], recent: number): Promise<Map<string, AuctionRow>> {
  const { rows } = await sql<Omit<AuctionRow, 'bids'> & BidColumns>`
    select a.post_id, a.seq, a.status, a.end_reason, a.start_cents, a.increment_cents, a.reserve_cents, a.amount_cents, a.bid_count,
      leader.number as leader, a.starts_at, a.ends_at, a.hard_ends_at, a.buy_fee_cents, a.buy_fee_basis_points,
      clock_timestamp() as server_now,
      bid.seq as bid_seq, bid.amount_cents as bid_cents, bidder.number as bidder, bid.auto, bid.at
    from auctions a
    cross join lateral (select from posts
      where posts.id = a.post_id and posts.deleted_at is null and posts.hidden_at is null offset 0) shown
    left join auction_bidders leader on leader.post_id = a.post_id and leader.bidder_id = a.leader_id
    left join lateral (select * from bids where bids.post_id = a.post_id order by bids.seq desc limit ${recent}) bid on true
    left join auction_bidders bidder on bidder.post_id = bid.post_id and bidder.bidder_id = bid.bidder_id
    where a.post_id = any(${postIds}::uuid[])
    order by a.post_id, bid.seq desc`.execute(db)
  const states = new Map<string, AuctionRow>()
  for (const row of rows) {
    const state = states.get(row.postId) ?? { ...row, bids: [] }
    states.set(row.postId, state)
    if (row.bidSeq === null) continue
    const { bidSeq: seq, bidCents: amountCents, bidder, auto, at } = row
    state.bids.push({ seq, amountCents, bidder, auto, at })
  }
  return states
}

export async function findState(db: Db, postId: string, recent: number): Promise<AuctionRow | undefined> {
  return (await listStates(db, [postId], recent)).get(postId)
}

/** Returns the seller, the reserve, the leader and their maximum, and the dealer's own bidder number and preset maximum. */
export async function findOwnSide(db: Db, postId: string, dealerId: string) {
  return db
    .selectFrom('auctions')
    .leftJoin('auctionBidders as own', (join) =>
      join.onRef('own.postId', '=', 'auctions.postId').on('own.bidderId', '=', dealerId),
    )
    .leftJoin('auctionPresets as preset', (join) =>
      join.onRef('preset.postId', '=', 'auctions.postId').on('preset.bidderId', '=', dealerId),
    )
    .select([
      'auctions.sellerId',
      'auctions.reserveCents',
      'auctions.leaderId',
      'auctions.leaderMaxCents',
      'own.number',
      'preset.maxCents as presetCents',
    ])
    .where('auctions.postId', '=', postId)
    .executeTakeFirstOrThrow()
}

export async function listBidders(db: Db, postId: string) {
  return db
    .selectFrom('auctionBidders')
    .innerJoin('dealers', 'dealers.id', 'auctionBidders.bidderId')
    .select(['auctionBidders.number', 'dealers.id', 'dealers.name', 'dealers.dealershipName'])
    .where('auctionBidders.postId', '=', postId)
    .orderBy('auctionBidders.number')
    .execute()
}

/**
 * Returns up to `limit` outbid dealers for notification and clears their `outbid_seq`. `settled` is true if no notice is needed. If another
 * transaction is doing the same, returns an empty list, which prevents deadlocks.
 */
export async function claimOutbid(tx: Tx, limit: number) {
  const { rows } = await sql<{
    postId: string
    bidderId: string
    seq: number
    amountCents: number
    settled: boolean
    title: string
  }>`
    with due as (
      select post_id, bidder_id from auction_bidders
      where outbid_seq is not null and (select pg_try_advisory_xact_lock(hashtext('auctions.outbid')))
      order by post_id, bidder_id limit ${limit} for no key update skip locked
    )
    update auction_bidders told set outbid_seq = null
    from due join auctions a on a.post_id = due.post_id join posts on posts.id = due.post_id
    where told.post_id = due.post_id and told.bidder_id = due.bidder_id
    returning told.post_id, told.bidder_id, a.seq, a.amount_cents, posts.title,
      a.leader_id = told.bidder_id or a.status <> 'open' or posts.deleted_at is not null or posts.hidden_at is not null
        as settled`.execute(tx)
  return rows
}

export async function closeDue(tx: Tx, postId: string) {
  return tx
    .updateTable('auctions')
    .set({
      status: sql<AuctionStatus>`case when leader_id is null then 'no_sale'
        when reserve_cents is not null and amount_cents < reserve_cents then 'deciding' else 'sold' end`,
      seq: sql<number>`seq + 1`,
      closedAt: sql<Date>`clock_timestamp()`,
    })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .where('endsAt', '<=', sql<Date>`clock_timestamp()`)
    .returning(['postId', 'seq', 'sellerId', 'status', 'leaderId', 'amountCents', 'buyFeeCents', 'buyFeeBasisPoints'])
    .executeTakeFirst()
}

/** Ends an auction early. Returns false if it is over or its highest bid is binding. Lock it first, because a bid may be in progress. */
export async function endEarly(tx: Tx, postId: string, endReason: string): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ status: 'no_sale', endReason, seq: sql<number>`seq + 1`, closedAt: sql<Date>`clock_timestamp()` })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .where('endsAt', '>', sql<Date>`clock_timestamp()`)
    .where(sql<boolean>`(leader_id is null or amount_cents < reserve_cents)`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function findOpenEnd(db: Db, postId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('auctions')
    .select('endsAt')
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return row?.endsAt
}

export async function listDue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('auctions')
    .select('postId')
    .where('status', '=', 'open')
    .where('endsAt', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('endsAt')
    .execute()
  return rows.map((row) => row.postId)
}

export async function findTitle(db: Db, postId: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('title').where('id', '=', postId).executeTakeFirst()
  return row?.title
}

/** Ends an open auction now, without a sale. Returns false if it was not open, or if somebody has bid and `onlyWithoutBids` is set. */
export async function stopOpen(tx: Tx, postId: string, onlyWithoutBids = false, endReason: string | null = null) {
  let query = tx
    .updateTable('auctions')
    .set({ status: 'no_sale', endReason, seq: sql<number>`seq + 1`, closedAt: sql<Date>`clock_timestamp()` })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
  if (onlyWithoutBids) query = query.where('bidCount', '=', 0)
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}

/** Records why a stopped auction without bids must not restart. */
export async function updateEndReason(tx: Tx, postId: string, endReason: string): Promise<void> {
  await tx
    .updateTable('auctions')
    .set({ endReason, seq: sql<number>`seq + 1` })
    .where('postId', '=', postId)
    .where('status', '=', 'no_sale')
    .where('bidCount', '=', 0)
    .execute()
}

/**
 * Lowers the reserve; lock the row first. If the highest bid now meets it, extends the auction to last at least `softCloseMs` more, up to
 * its hard end. Returns undefined if the auction is over or `cents` is not allowed.
 */
export async function lowerReserve(tx: Tx, postId: string, cents: number) {
  const { rows } = await sql<{ seq: number; fromCents: number }>`
    update auctions set reserve_cents = ${cents}, seq = seq + 1,
      ends_at = case when amount_cents >= ${cents} and amount_cents < reserve_cents
        then greatest(ends_at, least(hard_ends_at, clock_timestamp() + ${softCloseMs} * interval '1 millisecond'))
        else ends_at end
    where post_id = ${postId} and status = 'open' and ends_at > clock_timestamp()
      and reserve_cents > ${cents} and start_cents <= ${cents}
    returning new.seq as seq, old.reserve_cents as from_cents`.execute(tx)
  return rows[0]
}

export async function insertReserveChange(
  tx: Tx,
  change: { postId: string; actorId: string; key: string; seq: number; fromCents: number; toCents: number },
): Promise<void> {
  await tx.insertInto('reserveChanges').values(change).execute()
}

export async function hasReserveChange(db: Db, postId: string, actorId: string, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('reserveChanges')
    .select('seq')
    .where('postId', '=', postId)
    .where('actorId', '=', actorId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the amounts that a dealer has spent and committed today (day-use.sql). Excludes the auction `besides`, if given. */
export async function findDayUse(db: Db, dealerId: string, besides?: string) {
  const { rows } = await sql<{
    since: Date
    limitCents: number | null
    wonCount: number
    wonCents: number
    committedCents: number
    headroomCents: number
  }>`select * from day_use(${dealerId}, ${besides ?? null})`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('day_use answered nothing')
  return row
}

export async function listOpenOf(db: Db, sellerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('auctions')
    .select('postId')
    .where('sellerId', '=', sellerId)
    .where('status', '=', 'open')
    .execute()
  return rows.map(({ postId }) => postId)
}

export interface BidRequest {
  postId: string
  bidderId: string
  key: string
  kind: 'bid' | 'max'
  cents: number
}

export interface BidAccepted {
  refusal: null
  seq: number
  priceCents: number
  endsAt: Date
  leads: boolean
  bidderNumber: number
}

export interface BidRefused {
  refusal: BidRefusal
  priceCents: number | null
  minNextCents: number
  startsAt: Date
  endsAt: Date
  decidedAt: Date
}

/** Reasons for rejecting a bid that do not depend on the price (place-bids.sql). */
const bars = ['GONE', 'STOPPED', 'UNCONFIRMED', 'LICENSE', 'NO_PLAN', 'OWING', 'NONE', 'KEY'] as const
export interface BidBarred {
  refusal: (typeof bars)[number]
}

export type BidOutcome = BidAccepted | BidRefused | BidBarred

export interface AuctionMoved {
  postId: string
  seq: number
  priceCents: number
  decidedAt: Date
  outboxId: string
  outbid: string[]
  title: string | null
}

type PlacedRow = ({ bidNo: number } & BidOutcome) | ({ bidNo: null } & AuctionMoved)

function toOutcome(row: BidOutcome): BidOutcome {
  if (row.refusal === null) {
    const { refusal, seq, priceCents, endsAt, leads, bidderNumber } = row
    return { refusal, seq, priceCents, endsAt, leads, bidderNumber }
  }
  if (isBarred(row)) return { refusal: row.refusal }
  const { refusal, priceCents, minNextCents, startsAt, endsAt, decidedAt } = row
  return { refusal, priceCents, minNextCents, startsAt, endsAt, decidedAt }
}

export const isBarred = (refused: BidBarred | BidRefused): refused is BidBarred =>
  bars.some((bar) => bar === refused.refusal)

/** Places bids (place-bids.sql). Returns outcomes in the order of `bids`. @throws 55P03 if an auction is locked for over `lockWaitMs` */
export async function placeBids(
  db: Db,
  bids: BidRequest[],
  lockWaitMs?: number,
): Promise<{ outcomes: (BidOutcome | undefined)[]; moved: AuctionMoved[] }> {
  const requests = bids.map(({ postId, bidderId, ...rest }) => ({ post: postId, bidder: bidderId, ...rest }))
  const { rows } = await sql<PlacedRow>`
    select placed.* from ${lockWait(lockWaitMs)}
    cross join place_bids(case when lock_wait.is_set then ${JSON.stringify(requests)}::jsonb end,
      ${softCloseMs}, ${[...paidStatuses]}::text[]) as placed`.execute(db)
  const outcomes: (BidOutcome | undefined)[] = bids.map(() => undefined)
  const moved: AuctionMoved[] = []
  for (const row of rows) {
    if (row.bidNo === null) moved.push(row)
    else outcomes[row.bidNo - 1] = toOutcome(row)
  }
  return { outcomes, moved }
}
