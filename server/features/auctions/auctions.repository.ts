import { sql } from 'kysely'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { Db, Tx } from '#server/platform/db.ts'

/** As `auction_state` in the database says it; the clock is added when it is sent. */
export type StoredAuctionState = Omit<AuctionState, 'serverNow'>

/** An auction as it is stored. */
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
    .values({ postId, sellerId, ...setup })
    .execute()
}

/** The seller's new terms while nobody has bid; one that ended without a bid begins again. False otherwise. */
export async function updateTerms(tx: Tx, postId: string, setup: AuctionSetup): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ ...setup, status: 'open', closedAt: null, seq: sql<number>`seq + 1` })
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

/** What is public, with the last `recent` bids. */
export async function findState(
  db: Db,
  postId: string,
  recent: number,
): Promise<{ state: StoredAuctionState; serverNow: Date } | undefined> {
  const { rows } = await sql<{ state: StoredAuctionState; serverNow: Date }>`
    select auction_state(auctions, ${recent}::int) as state, clock_timestamp() as server_now
    from auctions join posts on posts.id = auctions.post_id
    where auctions.post_id = ${postId} and posts.deleted_at is null and posts.hidden_at is null`.execute(db)
  return rows[0]
}

/** The private side: whose it is, its reserve, and the caller's own number and maximum. */
export async function findOwnSide(db: Db, postId: string, dealerId: string) {
  return db
    .selectFrom('auctions')
    .leftJoin('auctionBidders as own', (join) =>
      join.onRef('own.postId', '=', 'auctions.postId').on('own.bidderId', '=', dealerId),
    )
    .select([
      'auctions.sellerId',
      'auctions.reserveCents',
      'auctions.leaderId',
      'auctions.leaderMaxCents',
      'own.number',
    ])
    .where('auctions.postId', '=', postId)
    .executeTakeFirstOrThrow()
}

export async function listBidders(db: Db, postId: string) {
  return db
    .selectFrom('auctionBidders')
    .innerJoin('dealers', 'dealers.id', 'auctionBidders.bidderId')
    .select(['auctionBidders.number', 'dealers.name', 'dealers.dealershipName'])
    .where('auctionBidders.postId', '=', postId)
    .orderBy('auctionBidders.number')
    .execute()
}

export interface BidAccepted {
  seq: number
  amount: number
  endsAt: string
  leading: boolean
  number: number
}

export type BidRefused =
  | {
      code: 'TOO_LOW' | 'CLOSED' | 'OWN' | 'LEADING'
      amount: number | null
      minNext: number
      startsAt: string
      endsAt: string
      serverNow: string
    }
  | { code: 'NONE' }
  | { code: 'KEY' }
  | { code: 'STANDING'; standing: 'ended' | 'owing' | 'none' }

export type BidOutcome = BidAccepted | BidRefused

/** An auction that bids have moved: its state, whose outbox row is written, and who leads no longer. */
export interface AuctionMoved {
  outboxId: string
  state: StoredAuctionState
  title: string
  outbid: string[]
}

export interface BidRequest {
  postId: string
  bidderId: string
  key: string
  kind: 'bid' | 'max'
  cents: number
}

/** Decides bids in one statement, each under its auction's row lock (the migration says how); outcomes in the same order. */
export async function placeBids(
  db: Db,
  bids: BidRequest[],
): Promise<{ outcomes: (BidOutcome | undefined)[]; moved: AuctionMoved[] }> {
  const requests = bids.map(({ postId, bidderId, ...rest }) => ({ post: postId, bidder: bidderId, ...rest }))
  const { rows } = await sql<{ bidNo: number; outcome: BidOutcome } | { bidNo: null; outcome: AuctionMoved }>`
    select bid_no, outcome from place_bids(${JSON.stringify(requests)}::jsonb)`.execute(db)
  const outcomes: (BidOutcome | undefined)[] = bids.map(() => undefined)
  const moved: AuctionMoved[] = []
  for (const row of rows) {
    if (row.bidNo === null) moved.push(row.outcome)
    else outcomes[row.bidNo - 1] = row.outcome
  }
  return { outcomes, moved }
}

/**
 * Who has been outbid and not been told, unmarked here. `settled`: there is nothing to tell any more. None while another
 * transaction tells: two of them would wait for each other's dealers in a ring, and bids would wait for both.
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

/** Ends one auction whose time is over by the database's clock. Undefined: not over, or another has done it. */
export async function closeDue(tx: Tx, postId: string) {
  return tx
    .updateTable('auctions')
    .set({
      status: sql<string>`case when leader_id is null then 'no_sale'
        when reserve_cents is not null and amount_cents < reserve_cents then 'deciding' else 'sold' end`,
      seq: sql<number>`seq + 1`,
      closedAt: sql<Date>`clock_timestamp()`,
    })
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .where('endsAt', '<=', sql<Date>`clock_timestamp()`)
    .returning(['postId', 'sellerId', 'status', 'leaderId', 'amountCents'])
    .executeTakeFirst()
}

/** When an auction that is still open ends. */
export async function findOpenEnd(db: Db, postId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('auctions')
    .select('endsAt')
    .where('postId', '=', postId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return row?.endsAt
}

/** Auctions that are over and still open, the longest overdue first. */
export async function listDue(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('auctions')
    .select('postId')
    .where('status', '=', 'open')
    .where('endsAt', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('endsAt')
    .limit(limit)
    .execute()
  return rows.map((row) => row.postId)
}

/** What came after an end: what the seller decided below the reserve, or that what was sold is not there. */
export async function settle(
  tx: Tx,
  postId: string,
  status: 'sold' | 'no_sale',
  before: 'deciding' | 'sold' = 'deciding',
): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ status, seq: sql<number>`seq + 1` })
    .where('postId', '=', postId)
    .where('status', '=', before)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function findTitle(db: Db, postId: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('title').where('id', '=', postId).executeTakeFirst()
  return row?.title
}
