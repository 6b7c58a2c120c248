import { sql } from 'kysely'
import type { NetworkSettings } from '#shared/schemas/admin.ts'
import type { Db, Tx } from '#server/platform/db.ts'

export async function findNetworkSettings(db: Db): Promise<NetworkSettings> {
  return db.selectFrom('networkSettings').select('verifiedOnly').executeTakeFirstOrThrow()
}

export async function updateNetworkSettings(tx: Tx, { verifiedOnly }: NetworkSettings): Promise<void> {
  await tx
    .updateTable('networkSettings')
    .set({ verifiedOnly, updatedAt: sql<Date>`now()` })
    .execute()
}
