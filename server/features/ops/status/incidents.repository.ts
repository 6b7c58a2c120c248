import { sql, type Selectable } from 'kysely'
import type { Incident, IncidentChange, IncidentInput } from '#shared/schemas/ops.ts'
import type { Incidents } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

function toIncident({ startedAt, endedAt, updatedAt, createdAt: _createdAt, ...row }: Selectable<Incidents>): Incident {
  return {
    ...row,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    updatedAt: updatedAt.toISOString(),
  }
}

export async function listIncidents(db: Db, limit: number): Promise<Incident[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toIncident)
}

export async function findIncident(db: Db, id: string): Promise<Incident | undefined> {
  const row = await db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toIncident(row)
}

export async function insertIncident(tx: Tx, { title, text, planned, startedAt, endedAt }: IncidentInput) {
  const values = { title, text, planned, startedAt, endedAt }
  return toIncident(await tx.insertInto('incidents').values(values).returningAll().executeTakeFirstOrThrow())
}

export async function lockIncident(tx: Tx, id: string): Promise<Incident | undefined> {
  const row = await tx.selectFrom('incidents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toIncident(row)
}

export async function updateIncident(tx: Tx, id: string, change: IncidentChange): Promise<Incident> {
  const row = await tx
    .updateTable('incidents')
    .set({ ...change, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toIncident(row)
}
