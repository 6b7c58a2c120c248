import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** Rows as text: values are separated by `|` and empty for null. PostgreSQL formats the rows, and the Find thread parses them. */
export interface Lines {
  lines: string
  count: number
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::bigint`)

/** SQL for a vehicle as integers, in the order of `fields` in table.ts. An open auction supplies the current bid and end time. */
const vehicleLine = sql`format('%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s', f.row_no, s.seller_no, f.make_id, f.model_id, f.trim_id,
  f.year, coalesce(a.amount_cents, f.price_cents), f.mileage, f.body, f.drive, f.fuel, ${ms('f.starts_at')},
  ${ms('coalesce(a.ends_at, f.ends_at)')}, f.has_photos::int, f.place_id, ${ms('f.posted_at')}, f.changed_xid, f.gone::int)`

const vehicleTables = sql`find_vehicles f join find_sellers s on s.dealer_id = f.seller_id
  left join auctions a on a.post_id = f.post_id and a.status = 'open' and f.starts_at is not null`

const asLines = (line: RawBuilder<unknown>) =>
  sql`coalesce(string_agg(${line}, E'\n'), '') as lines, count(*)::int as count`

const snapshot = sql`pg_current_snapshot()::text as snapshot`
/** Lowest transaction id that was open at the snapshot. All transactions that commit later have at least this id. */
const horizonOf = (since: string) => sql`pg_snapshot_xmin(${since}::text::pg_snapshot)`

/** Reads the snapshot to start from. `readChanges` returns later commits, and the rows read next contain everything earlier. */
export async function readStart(db: Db): Promise<{ snapshot: string; places: string; lastRow: number }> {
  const { rows } = await sql<{ snapshot: string; places: string; lastRow: number }>`
    select ${snapshot}, (select coalesce(max(row_no), 0) from find_vehicles) as last_row,
      (select coalesce(string_agg(format('%s|%s|%s', id, lat, lng), E'\n'), '') from postal_places) as places`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL answered nothing')
  return row
}

/** Reads the vehicles for sale in rows `from` (inclusive) to `to` (exclusive), or the rows in `rowNos` in any state. */
export async function readRows(db: Db, from: number, to: number, rowNos?: number[]): Promise<Lines> {
  const which =
    rowNos === undefined
      ? sql`f.row_no >= ${from} and f.row_no < ${to} and not f.gone`
      : sql`f.row_no = any(${rowNos}::int[])`
  const { rows } = await sql<Lines>`select ${asLines(vehicleLine)} from ${vehicleTables} where ${which}`.execute(db)
  return rows[0] ?? { lines: '', count: 0 }
}

/** Reads the rows that changed since the snapshot. May repeat rows while an older transaction is open, but never misses a late commit. */
export async function readChanges(db: Db, since: string): Promise<Lines & { snapshot: string }> {
  const { rows } = await sql<Lines & { snapshot: string }>`
    select ${snapshot}, ${asLines(vehicleLine)} from ${vehicleTables} where f.changed_xid >= ${horizonOf(since)}`.execute(
    db,
  )
  return rows[0] ?? { lines: '', count: 0, snapshot: since }
}

export async function readSellers(db: Db, since?: string): Promise<Lines> {
  const line = sql`format('%s|%s|%s', seller_no, rating,
    case when hidden_until = 'infinity' then 9007199254740991 else ${ms('hidden_until')} end)`
  const { rows } = await sql<Lines>`
    select ${asLines(line)} from find_sellers ${since === undefined ? sql`` : sql`where changed_xid >= ${horizonOf(since)}`}`.execute(
    db,
  )
  return rows[0] ?? { lines: '', count: 0 }
}

/** Lists open auctions with bids. Bids do not modify `find_vehicles`, so their prices are read separately. */
export async function listOpenPrices(db: Db): Promise<{ rowNo: number; state: string }[]> {
  const { rows } = await sql<{ rowNo: number; state: string }>`
    select f.row_no, a.seq::text as state from auctions a join find_vehicles f on f.post_id = a.post_id
    where a.status = 'open' and a.bid_count > 0 and f.starts_at is not null and not f.gone`.execute(db)
  return rows
}
