import type { Tx } from '#server/platform/db.ts'
import type { Network } from './network.ts'

/** What a feature adds to the demo: rows about the network's dealers and posts, in the seed's own transaction. */
export type Seeder = (tx: Tx, network: Network, now: Date) => Promise<void>
