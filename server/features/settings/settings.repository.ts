import { sql } from 'kysely'
import type { Db } from '#server/platform/db.ts'

export async function findSettings(db: Db, dealerId: string): Promise<unknown> {
  const row = await db.selectFrom('dealers').select('settings').where('id', '=', dealerId).executeTakeFirst()
  return row?.settings
}

/** Top-level keys are replaced; of `notifications` each kind by itself. */
export async function updateSettings(
  db: Db,
  dealerId: string,
  patch: Record<string, unknown>,
  notifications: Record<string, unknown>,
): Promise<unknown> {
  const row = await db
    .updateTable('dealers')
    .set({
      settings: sql`settings || ${JSON.stringify(patch)}::jsonb || jsonb_build_object('notifications',
        coalesce(settings -> 'notifications', '{}'::jsonb) || ${JSON.stringify(notifications)}::jsonb)`,
    })
    .where('id', '=', dealerId)
    .returning('settings')
    .executeTakeFirstOrThrow()
  return row.settings
}
