import type { Tx } from '#server/platform/database/db.ts'
import type { Network } from './network.ts'

export type Seeder = (tx: Tx, network: Network, now: Date) => Promise<void>
