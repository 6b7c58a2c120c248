import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db.ts'

/** How the network is set, whether it is a demo or not. */
export interface StoredSettings {
  verifiedOnly: boolean
  demoPaused: boolean
}

export async function findNetworkSettings(db: Db): Promise<StoredSettings> {
  return db.selectFrom('networkSettings').select(['verifiedOnly', 'demoPaused']).executeTakeFirstOrThrow()
}

export async function updateNetworkSettings(tx: Tx, settings: StoredSettings): Promise<void> {
  await tx
    .updateTable('networkSettings')
    .set({ ...settings, updatedAt: sql<Date>`now()` })
    .execute()
}
