import { type Selectable, sql } from 'kysely'
import { dataExportDays } from '#shared/constants/account.ts'
import type { DataExport } from '#shared/schemas/account.ts'
import type { DataExports } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { type Column, isExported } from './personal-columns.repository.ts'

const toExport = (row: Selectable<DataExports>): DataExport => ({
  id: row.id,
  state: row.state,
  requestedAt: row.requestedAt.toISOString(),
  sizeBytes: row.sizeBytes,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  error: row.error,
})

const current = (db: Db) =>
  db
    .selectFrom('dataExports')
    .selectAll()
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))

export async function findExport(db: Db, dealerId: string): Promise<DataExport | undefined> {
  const row = await current(db).where('dealerId', '=', dealerId).executeTakeFirst()
  return row && toExport(row)
}

export async function findPreparing(db: Db, id: string): Promise<{ dealerId: string } | undefined> {
  return db
    .selectFrom('dataExports')
    .select('dealerId')
    .where('id', '=', id)
    .where('state', '=', 'preparing')
    .executeTakeFirst()
}

export async function hasExport(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('dataExports').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Removes the dealer's export and returns its id. Keeps an export that is in progress, unless `always` is set. */
export async function removeExport(tx: Tx, dealerId: string, always = false): Promise<string | undefined> {
  let query = tx.deleteFrom('dataExports').where('dealerId', '=', dealerId)
  if (!always) query = query.where('state', '<>', 'preparing')
  return (await query.returning('id').executeTakeFirst())?.id
}

/** @throws if the dealer already has an export, by violating `data_exports_dealer_id_key` */
export async function insertExport(tx: Tx, dealerId: string): Promise<DataExport> {
  return toExport(await tx.insertInto('dataExports').values({ dealerId }).returningAll().executeTakeFirstOrThrow())
}

/** Returns undefined if the export was removed or is no longer in progress. */
export async function finishExport(
  tx: Tx,
  id: string,
  end: { sizeBytes: number } | { error: string },
): Promise<DataExport | undefined> {
  const outcome =
    'error' in end
      ? { state: 'failed' as const, error: end.error }
      : {
          state: 'ready' as const,
          sizeBytes: end.sizeBytes,
          expiresAt: sql<Date>`now() + ${dataExportDays} * interval '1 day'`,
        }
  const row = await tx
    .updateTable('dataExports')
    .set({ ...outcome, finishedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'preparing')
    .returningAll()
    .executeTakeFirst()
  return row && toExport(row)
}

export async function removeOverExports(tx: Tx, limit: number): Promise<string[]> {
  const over = tx
    .selectFrom('dataExports')
    .select('id')
    .where('expiresAt', '<', sql<Date>`now()`)
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await tx.deleteFrom('dataExports').where('id', 'in', over).returning('id').execute()
  return rows.map(({ id }) => id)
}

const rowsAtOnce = 500

const ownerCondition = (condition: string, dealerId: string) =>
  sql.join(
    condition
      .split(':me')
      .flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [sql`${dealerId}::uuid`, sql.raw(part)])),
    sql``,
  )

const papersFolder = 'papers/'
export const paperName = (id: string): string => `${papersFolder}${id}.pdf`

/** Yields the dealer's rows of a table as JSON in batches, ordered by primary key. Each stored document is replaced by its file name. */
export async function* rowsOf(db: Db, dealerId: string, table: string, condition: string, columns: Column[]) {
  const keys = columns.filter(({ key }) => key !== null).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0))
  const key = sql.join(keys.map(({ column }) => sql.ref(column)))
  const shown = columns
    .filter(isExported)
    .map(({ column, type }) =>
      type === 'bytea'
        ? sql`case when ${sql.ref(column)} is not null then ${sql.lit(papersFolder)} || id || '.pdf' end as ${sql.ref(column)}`
        : sql.ref(column),
    )
  for (let last: string[] | undefined; ;) {
    const after =
      last === undefined
        ? sql`true`
        : sql`(${key}) > (${sql.join(last.map((value, index) => sql`${value}::${sql.raw(keys[index]?.type ?? 'text')}`))})`
    const { rows } = await sql<{ row: string; last: string[] }>`
      select (select row_to_json(shown) from (select ${sql.join(shown)}) shown)::text as row,
        array[${sql.join(keys.map(({ column }) => sql`${sql.ref(column)}::text`))}] as last
      from ${sql.table(table)} where (${ownerCondition(condition, dealerId)}) and ${after}
      order by ${key} limit ${rowsAtOnce}`.execute(db)
    yield rows.map(({ row }) => row)
    last = rows.at(-1)?.last
    if (last === undefined || rows.length < rowsAtOnce) return
  }
}
