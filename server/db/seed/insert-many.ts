import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/db.ts'

type Row = Record<string, unknown>

const chunkRows = 2_000

/** Inserts rows with one JSON parameter per chunk, which is several times faster than one per value. Keys are camelCase columns. */
export async function insertMany(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).map((key) => ({ key, column: snakeCase(key) }))
  const names = sql.join(columns.map(({ column }) => sql.ref(column)))
  for (let start = 0; start < rows.length; start += chunkRows) {
    const chunk = rows.slice(start, start + chunkRows)
    const json = JSON.stringify(
      chunk.map((row) => Object.fromEntries(columns.map(({ key, column }) => [column, row[key]]))),
    )
    await sql`
      insert into ${sql.table(table)} (${names})
      select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)
      on conflict do nothing`.execute(tx)
  }
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
