import type { Tx } from '#server/platform/database/db.ts'
import type { Network } from './network.ts'

/** Adds a feature's demo rows in the seed's transaction. */
export type Seeder = (tx: Tx, network: Network, now: Date) => Promise<void>
