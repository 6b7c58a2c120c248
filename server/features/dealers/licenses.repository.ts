import { sql } from 'kysely'
import type { Joining } from '#shared/schemas/auth.ts'
import type { Db, Tx } from '#server/platform/db.ts'

/** How the network is set, whether it is a demo or not. */
export interface StoredSettings {
  joining: Joining
  /** As the server is configured, unless an admin has set it. */
  confirmedOnly: boolean
  verifiedOnly: boolean
  /** Posting and bidding need a plan, where plans are paid for. */
  planRequired: boolean
  demoPaused: boolean
  /** Null where no admin has said so: as the server is configured. */
  staffSecondFactor: boolean | null
  buyFeeCents: number
  /** Hundredths of a percent of the price. */
  buyFeeBasisPoints: number
  stopAfterCancels: boolean
}

/** place-bids.sql reads the same. */
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
