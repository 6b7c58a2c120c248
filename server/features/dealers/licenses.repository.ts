import { sql } from 'kysely'
import type { Joining } from '#shared/schemas/auth.ts'
import type { Db, Tx } from '#server/platform/db.ts'

/** How the network is set, whether it is a demo or not. */
export interface StoredSettings {
  joining: Joining
  verifiedOnly: boolean
  demoPaused: boolean
  /** Null where no admin has said so: as the server is configured. */
  staffSecondFactor: boolean | null
  buyFeeCents: number
  /** Hundredths of a percent of the price. */
  buyFeeBasisPoints: number
  stopAfterCancels: boolean
}

export async function findNetworkSettings(db: Db): Promise<StoredSettings> {
  return db
    .selectFrom('networkSettings')
    .select(['joining', 'verifiedOnly', 'demoPaused', 'staffSecondFactor'])
    .select(['buyFeeCents', 'buyFeeBasisPoints', 'stopAfterCancels'])
    .executeTakeFirstOrThrow()
}

export async function updateNetworkSettings(tx: Tx, change: Partial<StoredSettings>): Promise<void> {
  await tx
    .updateTable('networkSettings')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .execute()
}
