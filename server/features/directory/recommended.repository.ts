import { sql } from 'kysely'
import { dealerColumns, toDealer } from '#server/features/dealers/dealers.repository.ts'
import type { Db } from '#server/platform/db.ts'
import { isSuspended } from '#server/platform/suspension.ts'
import { notBlocked } from './directory.repository.ts'

export interface Candidate {
  id: string
  makes: string[]
  sameState: boolean
  mutual: number
}

/** How many of the newest posts say what a dealer trades, and how many candidates are weighed. */
const recentPosts = 1_000
const candidatesMax = 200

/**
 * Dealers worth knowing: those who trade the same makes, are in the same state, or share connections, the best first.
 * A shared make weighs 3 (three count at most), the state 2, a mutual connection 0.5 (ten count), a rating point 0.2.
 */
export async function listCandidates(db: Db, dealerId: string, limit: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with mine as (select other_id from connections where dealer_id = ${dealerId}),
    recent as (
      select id, dealer_id from posts where deleted_at is null and hidden_at is null
      order by created_at desc, id desc limit ${recentPosts}
    ),
    own_makes as (
      select distinct lower(v.make) as make from posts p join vehicles v on v.post_id = p.id
      where p.dealer_id = ${dealerId} and p.deleted_at is null and v.make is not null
    ),
    makes as (
      select recent.dealer_id, array_agg(distinct v.make) as makes
      from recent join vehicles v on v.post_id = recent.id
      where lower(v.make) in (select make from own_makes) group by recent.dealer_id
    ),
    shared as (
      select c.dealer_id, count(*) as mutual from connections c join mine on mine.other_id = c.other_id
      group by c.dealer_id order by count(*) desc limit ${candidatesMax}
    ),
    near as (
      select id from dealers where listed and state = (select state from dealers where id = ${dealerId}) and state <> ''
      order by lower(name), id limit ${candidatesMax}
    ),
    chosen as (select dealer_id as id from makes union select dealer_id from shared union select id from near)
    select dealers.id, coalesce(makes.makes, '{}') as makes, near.id is not null as "sameState",
           coalesce(shared.mutual, 0)::int as mutual
    from chosen join dealers on dealers.id = chosen.id
    left join makes on makes.dealer_id = dealers.id
    left join shared on shared.dealer_id = dealers.id
    left join near on near.id = dealers.id
    where dealers.listed and dealers.id <> ${dealerId} and dealers.id not in (select other_id from mine)
      and not ${isSuspended('dealers')} and ${notBlocked(dealerId)}
    order by 3 * least(cardinality(coalesce(makes.makes, '{}')), 3) + case when near.id is null then 0 else 2 end
      + 0.5 * least(coalesce(shared.mutual, 0), 10) + 0.2 * coalesce(dealers.rating, 0) desc, dealers.id
    limit ${limit}`.execute(db)
  return rows
}

export async function listDealersById(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, ReturnType<typeof toDealer>>()
  const rows = await db.selectFrom('dealers').select(dealerColumns).where('dealers.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toDealer(row)]))
}
