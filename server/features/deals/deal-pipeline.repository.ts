import { sql, type RawBuilder } from 'kysely'
import { entitlementsOf, planIds } from '#shared/entitlements.ts'
import { paidStatuses } from '#shared/schemas/billing.ts'
import type { DealCounts, DealStage, DocumentKind, NextAct } from '#shared/schemas/deals.ts'
import type { Db } from '#server/platform/database/db.ts'
import { containing } from '#server/platform/database/like-patterns.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { photoOf } from './deals.repository.ts'

type Side = 'seller' | 'buyer'
type Sql = RawBuilder<unknown>

const sides = ['seller', 'buyer'] as const
const otherOf: Record<Side, Side> = { seller: 'buyer', buyer: 'seller' }
const idOf = (table: 'd' | 'o', side: Side) => sql.ref(`${table}.${side}Id`)

interface Whose {
  dealerId: string
  words: readonly string[]
}

// SQL version of `allowedActs` in deals.policy.ts, for many deals at once. A test checks that both give the same results.

const billOfSalePlans = planIds.filter((planId) => entitlementsOf(planId).has('billOfSale'))

const planHasBillOfSale = (side: Side): Sql => sql`(
  exists (select from entitlement_grants g where g.dealer_id = ${idOf('d', side)} and g.entitlement = 'billOfSale')
  or exists (select from subscriptions s where s.dealer_id = ${idOf('d', side)} and s.plan_id = any(${billOfSalePlans}::text[])
    and s.status = any(${[...paidStatuses]}::text[])))`

/** True if a party's plan includes the bill of sale or a party has signed it, or while billing is off. */
const hasBillOfSale: Sql = sql`(coalesce(current_setting('lanewire.billing', true), '') = 'off'
  or exists (select from deal_signatures s where s.deal_id = d.id and s.kind = 'bill_of_sale')
  or ${planHasBillOfSale('seller')} or ${planHasBillOfSale('buyer')})`

const isSigned = (kind: DocumentKind, side: Side): Sql => sql`exists (select from deal_signatures s
  where s.deal_id = d.id and s.kind = ${sql.lit(kind)} and s.dealer_id = ${idOf('d', side)})`

const mustSign = (side: Side): Sql => sql`(bill and not ${isSigned('bill_of_sale', side)}
  or d.mileage is not null and not ${isSigned('odometer', side)})`

const isSignedByBoth = (kind: DocumentKind): Sql => sql`(${isSigned(kind, 'seller')} and ${isSigned(kind, 'buyer')})`

const buyerCanBuy: Sql = sql`exists (select from dealers b
  where b.id = d.buyer_id and b.deleted_at is null and not ${isSuspended('b')})`

const acts: Sql = sql`
  cross join lateral (select d.status = 'approved' and ${hasBillOfSale} as bill) paper
  cross join lateral (select
    case when d.status = 'pending' then case when ${buyerCanBuy} then 'approve' end when d.mileage is null then 'mileage'
      when ${mustSign('seller')} then 'sign' end as seller,
    case when d.status = 'pending' then null
      when case when bill then ${isSignedByBoth('bill_of_sale')} else ${isSignedByBoth('odometer')} end then 'complete'
      when ${mustSign('buyer')} then 'sign' end as buyer) act`

/** Every word must appear in the vehicle's fields, the other party's names or an offer's post title. Only a search needs the joins. */
function searchOf(words: readonly string[], table: 'd' | 'o', side: Side): { joins: Sql; found: Sql } {
  if (words.length === 0) return { joins: sql``, found: sql`true` }
  const lot = table === 'd' ? sql`` : sql`join posts p on p.id = o.post_id left join vehicles v on v.id = o.vehicle_id`
  const about =
    table === 'd' ? sql`d.year, d.make, d.model, d.trim, d.vin` : sql`v.year, v.make, v.model, v.trim, v.vin, p.title`
  const text = sql`concat_ws(' ', ${about}, other.name, other.dealership_name)`
  return {
    joins: sql`join dealers other on other.id = ${idOf(table, otherOf[side])} ${lot}`,
    found: sql.join(
      words.map((word) => sql`${text} ilike ${containing(word)}`),
      sql` and `,
    ),
  }
}

const dealColumns = sql`'deal' as kind, d.id, d.updated_at, d.post_id, d.vehicle_id`

function openDeals({ dealerId, words }: Whose, side: Side): Sql {
  const { joins, found } = searchOf(words, 'd', side)
  return sql`select ${dealColumns}, ${sql.ref(`act.${side}`)} as next, ${sql.ref(`act.${otherOf[side]}`)} as waits_for
    from deals d ${acts} ${joins}
    where ${idOf('d', side)} = ${dealerId} and d.status in ('pending', 'approved') and ${found}`
}

function closedDeals({ dealerId, words }: Whose, side: Side, status: 'completed' | 'cancelled'): Sql {
  const { joins, found } = searchOf(words, 'd', side)
  const toReview = sql`case when d.status = 'completed' and not exists (select from reviews r
    where r.deal_id = d.id and r.author_id = ${dealerId}) then 'review' end`
  return sql`select ${dealColumns}, ${toReview} as next, null as waits_for from deals d ${joins}
    where ${idOf('d', side)} = ${dealerId} and d.status = ${status} and ${found}`
}

/** Excludes accepted offers, which are listed as deals. */
function offers({ dealerId, words }: Whose, side: Side, isOpen: boolean): Sql {
  const { joins, found } = searchOf(words, 'o', side)
  const answers = (by: Side) => sql`case when o.status = 'open' and o.turn = ${sql.lit(by)} then 'answer' end`
  const status = isOpen ? sql`o.status = 'open'` : sql`o.status in ('declined', 'withdrawn', 'expired', 'ended')`
  return sql`select 'offer' as kind, o.id, o.updated_at, o.post_id, o.vehicle_id,
      ${answers(side)} as next, ${answers(otherOf[side])} as waits_for
    from offers o ${joins} where ${idOf('o', side)} = ${dealerId} and ${status} and ${found}`
}

/** `next` contains the action that the dealer has to take, if any. */
function sourcesOf(whose: Whose, stage: DealStage): Sql[] {
  if (stage === 'completed') return sides.map((side) => closedDeals(whose, side, 'completed'))
  if (stage === 'cancelled')
    return sides.flatMap((side) => [closedDeals(whose, side, 'cancelled'), offers(whose, side, false)])
  return sides.flatMap((side) => [openDeals(whose, side), offers(whose, side, true)])
}

const isAt: Record<DealStage, Sql> = {
  turn: sql`s.next is not null`,
  waiting: sql`s.next is null`,
  completed: sql`true`,
  cancelled: sql`true`,
}

export async function countPipeline(db: Db, whose: Whose): Promise<DealCounts> {
  const open = sourcesOf(whose, 'turn').map(
    (source) => sql`select case when s.next is null then 'waiting' else 'turn' end as stage from (${source}) s`,
  )
  const closed = (['completed', 'cancelled'] as const).flatMap((stage) =>
    sourcesOf(whose, stage).map((source) => sql`select ${sql.lit(stage)} as stage from (${source}) s`),
  )
  const { rows } = await sql<{ stage: DealStage; count: number }>`
    select stage, count(*) as count from (${sql.join([...open, ...closed], sql` union all `)}) every group by stage`.execute(
    db,
  )
  const none: DealCounts = { turn: 0, waiting: 0, completed: 0, cancelled: 0 }
  return Object.assign(none, Object.fromEntries(rows.map(({ stage, count }) => [stage, count])))
}

interface Entry {
  kind: 'deal' | 'offer'
  id: string
  at: string
  photo: string | null
  next: NextAct | null
  waitsFor: NextAct | null
}

export async function listPipeline(
  db: Db,
  whose: Whose,
  { stage, limit, after }: { stage: DealStage; limit: number; after: { at: string; id: string } | undefined },
): Promise<Entry[]> {
  const from =
    after === undefined ? sql`true` : sql`(s.updated_at, s.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const first = sourcesOf(whose, stage).map(
    (source) => sql`(select * from (${source}) s where ${isAt[stage]} and ${from}
      order by s.updated_at desc, s.id desc limit ${limit})`,
  )
  const { rows } = await sql<Entry>`
    select s.kind, s.id, s.updated_at::text as at, s.next, s.waits_for,
      ${photoOf('s')} as photo
    from (select * from (${sql.join(first, sql` union all `)}) s order by s.updated_at desc, s.id desc limit ${limit}) s
    order by s.updated_at desc, s.id desc`.execute(db)
  return rows
}

export async function findDeals(db: Db, { dealerId, words }: Whose, limit: number): Promise<string[]> {
  const first = sides.map((side) => {
    const { joins, found } = searchOf(words, 'd', side)
    return sql`(select d.id, d.updated_at from deals d ${joins} where ${idOf('d', side)} = ${dealerId} and ${found}
      order by d.updated_at desc, d.id desc limit ${limit})`
  })
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(first, sql` union all `)}) found order by updated_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
