import { sql } from 'kysely'
import type { RecommendedDealer } from '#shared/schemas/connections.ts'
import { dealerColumns, toDealer } from '#server/features/dealers/dealers.repository.ts'
import type { Db } from '#server/platform/db.ts'

/** Sellers with something on offer are worth recommending; of those the ones with most in common. */
const candidates = 200

interface Ranked {
  id: string
  mutual: number
  makes: string[]
  sameState: boolean
}

/**
 * Ranks sellers outside the dealer's network by mutual connections, makes both trade and the state, among the
 * dealers with the newest active posts.
 */
async function rank(db: Db, dealerId: string, limit: number): Promise<Ranked[]> {
  const { rows } = await sql<Ranked>`
    with me as (select id, state from dealers where id = ${dealerId}),
    own_makes as (
      select distinct lower(v.make) as make from vehicles v join posts p on p.id = v.post_id where p.dealer_id = ${dealerId}
    ),
    recent as (
      select dealer_id, max(created_at) as newest from (
        select dealer_id, created_at from posts
        where status = 'active' and deleted_at is null and hidden_at is null
        order by created_at desc limit ${candidates}
      ) newest_posts group by dealer_id
    ),
    candidate as (
      select d.id, d.state, recent.newest from recent join dealers d on d.id = recent.dealer_id
      where d.id <> ${dealerId} and d.deleted_at is null and d.suspended_at is null
        and coalesce(d.settings->>'profileVisibility', 'true') <> 'false'
        and not exists (select 1 from connections c where c.dealer_id = ${dealerId} and c.other_id = d.id)
    )
    select candidate.id, candidate.state = me.state as "sameState",
      (select count(*)::int from connections mine join connections theirs on theirs.other_id = mine.other_id
        where mine.dealer_id = me.id and theirs.dealer_id = candidate.id) as mutual,
      (select coalesce(array_agg(distinct v.make), '{}') from posts p join vehicles v on v.post_id = p.id
        where p.dealer_id = candidate.id and p.deleted_at is null and lower(v.make) in (select make from own_makes)) as makes
    from candidate cross join me
    order by 3 * least((select count(*) from connections mine join connections theirs on theirs.other_id = mine.other_id
        where mine.dealer_id = me.id and theirs.dealer_id = candidate.id), 10)
      + (case when candidate.state = me.state then 5 else 0 end) desc, candidate.newest desc, candidate.id
    limit ${limit}`.execute(db)
  return rows
}

function whyOf({ mutual, makes, sameState }: Ranked, state: string): string {
  if (mutual > 0) return `${mutual} mutual ${mutual === 1 ? 'connection' : 'connections'}`
  if (makes.length > 0) return `Also trades ${makes.slice(0, 2).join(' and ')}`
  return sameState ? `Also in ${state}` : 'New stock this week'
}

/** Recommended sellers with the reason for each. */
export async function listRecommended(db: Db, dealerId: string, limit: number): Promise<RecommendedDealer[]> {
  const ranked = await rank(db, dealerId, limit)
  if (ranked.length === 0) return []
  const rows = await db
    .selectFrom('dealers')
    .select(dealerColumns)
    .where(
      'id',
      'in',
      ranked.map(({ id }) => id),
    )
    .execute()
  return ranked.flatMap((entry) => {
    const row = rows.find(({ id }) => id === entry.id)
    if (row === undefined) return []
    return [{ dealer: toDealer(row), mutualConnections: entry.mutual, why: whyOf(entry, row.state) }]
  })
}
