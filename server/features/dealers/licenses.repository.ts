import { sql } from 'kysely'
import type { Joining } from '#shared/schemas/auth.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export interface StoredSettings {
  joining: Joining
  /** Until an admin sets a value, the server's configuration applies. The same is true for `verifiedOnly`. */
  confirmedOnly: boolean
  verifiedOnly: boolean
  /** Posting and bidding require a plan. Has no effect while billing is off. */
  planRequired: boolean
  demoPaused: boolean
  /** Null until an admin sets it. Until then, the server's configuration applies. */
  staffSecondFactor: boolean | null
  buyFeeCents: number
  buyFeeBasisPoints: number
  stopAfterCancels: boolean
}

/** Must equal the expression in place-bids.sql. */
const isVerifiedOnly = sql<boolean>`coalesce(verified_only, current_setting('lanewire.verified_only', true) = 'on', false)`

export async function findNetworkSettings(db: Db): Promise<StoredSettings> {
  return db
    .selectFrom('networkSettings')
    .select(['joining', 'planRequired', 'demoPaused', 'staffSecondFactor'])
    .select(isVerifiedOnly.as('verifiedOnly'))
    .select(['buyFeeCents', 'buyFeeBasisPoints', 'stopAfterCancels'])
    .select(
      sql<boolean>`coalesce(confirmed_only, current_setting('lanewire.confirmed_only', true) = 'on', false)`.as(
        'confirmedOnly',
      ),
    )
    .executeTakeFirstOrThrow()
}

export async function updateNetworkSettings(tx: Tx, change: Partial<StoredSettings>): Promise<void> {
  await tx
    .updateTable('networkSettings')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .execute()
}
