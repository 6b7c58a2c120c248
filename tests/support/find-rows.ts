import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

export async function rowsOfFind(db: Db) {
  const { rows } = await sql<{ row: string }>`
    select (to_jsonb(f) - 'row_no' - 'changed_xid' - 'changed_at')::text as row from find_vehicles f where not gone
    order by vehicle_id`.execute(db)
  return rows.map(({ row }) => JSON.parse(row) as unknown)
}

/** Returns the vehicles for sale with their sellers twice: from Find's tables, and from plain SQL on the source tables. */
export async function bothOnOffer(db: Db) {
  const found =
    await sql`select f.vehicle_id, f.post_id, f.seller_id, coalesce(make.key, '') as make, coalesce(model.key, '') as model,
      coalesce(of_trim.key, '') as trim, f.year, f.mileage, f.price_cents::int as cents, f.starts_at, f.ends_at, f.posted_at, f.has_photos,
      coalesce(s.hidden_until > now(), false) as hidden, s.rating::float8 as rating
    from find_vehicles f join find_sellers s on s.dealer_id = f.seller_id left join find_words make on make.id = f.make_id
    left join find_words model on model.id = f.model_id left join find_words of_trim on of_trim.id = f.trim_id
    where not f.gone order by f.vehicle_id`.execute(db)
  const word = (name: string) => sql`coalesce(lower(regexp_replace(${sql.ref(name)}, '[ ~,-]+', '', 'g')), '')`
  const plain =
    await sql`select v.id as vehicle_id, p.id as post_id, p.dealer_id as seller_id, ${word('v.make')} as make,
      ${word('v.model')} as model, ${word('v.trim')} as trim, v.year, v.mileage,
      case when a.post_id is null then v.price_cents else a.start_cents end::int as cents, a.starts_at, a.ends_at,
      p.created_at as posted_at, exists (select from photos h where h.post_id = p.id) as has_photos,
      d.suspended_at is not null or d.deleted_at is not null as hidden, d.rating::float8 as rating
    from vehicles v join posts p on p.id = v.post_id join dealers d on d.id = p.dealer_id
    left join auctions a on a.post_id = p.id and a.status = 'open' and v.position = (
      select min(one.position) from vehicles one where one.post_id = p.id)
    where v.status = 'available' and p.status = 'active' and p.deleted_at is null and p.hidden_at is null
    order by v.id`.execute(db)
  return [found.rows, plain.rows] as const
}
