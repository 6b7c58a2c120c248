import { type RawBuilder, sql } from 'kysely'
import type { SharedSignal } from '#shared/moderation.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

/** Keeps only letters and digits, so that spelling differences do not matter. */
const alphanumeric = (column: string) =>
  sql`nullif(regexp_replace(lower(${sql.ref(column)}), '[^[:alnum:]]+', '', 'g'), '')`

const localAddresses = ['127.0.0.1', '::1', '::ffff:127.0.0.1']
const sessionDays = 30

/** Signals that identify a dealer. Two accounts with the same value of a signal are suspicious. */
const marks = sql`
  select 'dealership' as signal, ${alphanumeric('d.dealershipName')} || '/' || lower(d.state) as value
  union all select 'license', ${alphanumeric('d.licenseNumber')} || '/' || lower(coalesce(d.license_state, ''))
  union all select 'license', 'access/' || ${alphanumeric('d.auctionAccessNumber')}
  union all select 'address', ${alphanumeric('d.address')} || '/' || ${alphanumeric('d.zip')}
  union all select 'card', c.card_mark from billing_customers c where c.dealer_id = d.id
  union all select 'device', s.address || '/' || s.user_agent from sessions s
    where s.dealer_id = d.id and s.last_seen_at > now() - make_interval(days => ${sessionDays}::int)
      and s.address <> all (${localAddresses}::text[])`

/** Two linked accounts in one auction. `otherId` is the seller or an earlier bidder. */
export interface Pair {
  postId: string
  sellerId: string
  bidderId: string
  otherId: string
  signals: SharedSignal[]
}

export async function listUncompared(db: Db, limit: number): Promise<{ postId: string; bidderId: string }[]> {
  return db
    .selectFrom('auctionBidders')
    .select(['postId', 'bidderId'])
    .where('lookedAt', 'is', null)
    .orderBy('postId')
    .orderBy('number')
    .limit(limit)
    .execute()
}

export async function listPairsSharingTraits(
  db: Db,
  bidders: readonly { postId: string; bidderId: string }[],
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(bidders)}::jsonb) as ("postId" uuid, "bidderId" uuid)
    ), members as (
      select post_id, bidder_id as dealer_id, number from auction_bidders where post_id in (select "postId" from asked)
      union all
      select post_id, seller_id, 0 from auctions where post_id in (select "postId" from asked)
    ), marked as (
      select distinct m.post_id, m.dealer_id, m.number, mark.signal, mark.value
      from members m join dealers d on d.id = m.dealer_id and d.deleted_at is null
      cross join lateral (${marks}) mark where mark.value is not null
    )
    select late.post_id, a.seller_id, late.dealer_id as bidder_id, early.dealer_id as other_id,
      array_agg(distinct late.signal order by late.signal) as signals
    from marked late
    join asked on asked."postId" = late.post_id and asked."bidderId" = late.dealer_id
    join marked early on early.post_id = late.post_id and early.number < late.number
      and early.signal = late.signal and early.value = late.value
    join auctions a on a.post_id = late.post_id
    group by late.post_id, a.seller_id, late.dealer_id, early.dealer_id
    order by late.post_id, late.dealer_id, early.dealer_id`.execute(db)
  return rows
}

export async function markSeen(tx: Tx, bidders: readonly { postId: string; bidderId: string }[]): Promise<void> {
  await sql`
    update auction_bidders b set looked_at = now()
    from jsonb_to_recordset(${JSON.stringify(bidders)}::jsonb) as seen ("postId" uuid, "bidderId" uuid)
    where b.post_id = seen."postId" and b.bidder_id = seen."bidderId" and b.looked_at is null`.execute(tx)
}

/** Schedules another comparison of an auction's bidders, because dealers may have added data since their first bid. */
export async function markUnseen(tx: Tx, postId: string): Promise<void> {
  await tx.updateTable('auctionBidders').set({ lookedAt: null }).where('postId', '=', postId).execute()
}

/** Returns false if the flag already exists with these signals. */
export async function upsertFlag(tx: Tx, { postId, bidderId, otherId, signals }: Pair): Promise<boolean> {
  const row = await tx
    .insertInto('auctionFlags')
    .values({ postId, bidderId, otherId, signals })
    .onConflict((conflict) =>
      conflict
        .columns(['postId', 'bidderId', 'otherId'])
        .doUpdateSet({ signals, flaggedAt: sql<Date>`clock_timestamp()` })
        .where(sql<boolean>`not (auction_flags.signals @> excluded.signals)`),
    )
    .returning('postId')
    .executeTakeFirst()
  return row !== undefined
}

export interface FlagRow {
  postId: string
  title: string
  bidderId: string
  bidderName: string
  bidderDealership: string
  bidderNumber: number | null
  otherId: string
  otherName: string
  otherDealership: string
  otherNumber: number | null
  signals: SharedSignal[]
  flaggedAt: Date
}

export const listFlags = (
  db: Db,
  { postIds = [], bidderIds = [] }: { postIds?: readonly string[]; bidderIds?: readonly string[] },
): Promise<FlagRow[]> =>
  readFlags(db, sql`f.post_id = any(${postIds}::uuid[]) or f.bidder_id = any(${bidderIds}::uuid[])`)

export const listNewFlags = (db: Db, hours: number, limit: number): Promise<FlagRow[]> =>
  readFlags(db, sql`f.flagged_at > clock_timestamp() - ${hours} * interval '1 hour'`, limit)

async function readFlags(db: Db, where: RawBuilder<unknown>, limit: number | null = null): Promise<FlagRow[]> {
  const { rows } = await sql<FlagRow>`
    select f.post_id, p.title, f.signals, f.flagged_at,
      f.bidder_id, bidder.name as bidder_name, bidder.dealership_name as bidder_dealership, b.number as bidder_number,
      f.other_id, other.name as other_name, other.dealership_name as other_dealership, o.number as other_number
    from auction_flags f join posts p on p.id = f.post_id
    join dealers bidder on bidder.id = f.bidder_id join dealers other on other.id = f.other_id
    left join auction_bidders b on b.post_id = f.post_id and b.bidder_id = f.bidder_id
    left join auction_bidders o on o.post_id = f.post_id and o.bidder_id = f.other_id
    where ${where}
    order by f.flagged_at desc, f.post_id, f.bidder_id, f.other_id limit ${limit}`.execute(db)
  return rows
}

export async function listBidsOf(db: Db, { postId, bidderId, otherId }: FlagRow, limit: number) {
  return db
    .selectFrom('bids')
    .innerJoin('auctionBidders as b', (join) =>
      join.onRef('b.postId', '=', 'bids.postId').onRef('b.bidderId', '=', 'bids.bidderId'),
    )
    .select(['b.number', 'bids.amountCents', 'bids.auto', 'bids.at'])
    .where('bids.postId', '=', postId)
    .where('bids.bidderId', 'in', [bidderId, otherId])
    .orderBy('bids.seq', 'desc')
    .limit(limit)
    .execute()
}

export async function removeFlags(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from auction_flags where ctid in (select ctid from auction_flags where flagged_at < ${before} limit ${limit})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
