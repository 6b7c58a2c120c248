import { sql, type Kysely } from 'kysely'

/**
 * A vehicle has one deal that lives, and an offer can end because bidding opens. Where a vehicle was sold twice before,
 * the deal that has come furthest keeps it; the others stay on record with its facts, for their parties to cancel.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update deals set vehicle_id = null
    from (
      select id, row_number() over (
        partition by vehicle_id
        order by case status when 'completed' then 0 when 'approved' then 1 else 2 end, created_at, id) as place
      from deals where vehicle_id is not null and status <> 'cancelled'
    ) ranked
    where ranked.id = deals.id and ranked.place > 1`.execute(db)
  await sql`create unique index deals_living on deals (vehicle_id) where status <> 'cancelled'`.execute(db)
  await sql`
    update vehicles set status = case deals.status when 'completed' then 'sold' else 'pending' end
    from deals where deals.vehicle_id = vehicles.id and deals.status <> 'cancelled' and vehicles.status = 'available'`.execute(
    db,
  )
  await sql`
    update posts set available_count = counted.available, version = version + 1
    from (
      select post_id, count(*) filter (where status = 'available') as available from vehicles group by post_id
    ) counted
    where counted.post_id = posts.id and posts.available_count <> counted.available`.execute(db)
  await sql`alter table offers drop constraint offers_status_check`.execute(db)
  await sql`
    alter table offers add constraint offers_status_check
      check (status in ('open', 'accepted', 'declined', 'withdrawn', 'expired', 'ended'))`.execute(db)
}
