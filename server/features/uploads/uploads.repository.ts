import { sql, type Selectable, type Updateable } from 'kysely'
import type { ObjectKind } from '#shared/schemas/objects.ts'
import type { Objects } from '#server/db/schema.ts'
import type { Db } from '#server/platform/db.ts'

export type ObjectRow = Selectable<Objects>

export async function insertObject(db: Db, object: { id: string; dealerId: string; kind: ObjectKind }): Promise<void> {
  await db.insertInto('objects').values(object).execute()
}

export async function findObject(db: Db, id: string): Promise<ObjectRow | undefined> {
  return db.selectFrom('objects').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateObject(db: Db, id: string, change: Updateable<Objects>): Promise<void> {
  await db.updateTable('objects').set(change).where('id', '=', id).execute()
}

/** Marks objects as used. Answers those that are the dealer's own and usable. */
export async function attachOwnObjects(db: Db, dealerId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .updateTable('objects')
    .set({ attachedAt: sql<Date>`coalesce(attached_at, now())` })
    .where('id', 'in', ids)
    .where('dealerId', '=', dealerId)
    .where('state', 'in', ['stored', 'ready'])
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes objects out that nothing has used for so long; the caller removes their files. */
export async function removeOrphans(db: Db, olderThanMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('objects')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('objects')
        .select('id')
        .where('attachedAt', 'is', null)
        .where('createdAt', '<', sql<Date>`now() - ${olderThanMs} * interval '1 millisecond'`)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
