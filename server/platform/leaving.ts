import type { Tx } from './database/db.ts'
import type { Emit } from './database/transact.ts'

/** An account that is being deleted, with its data from before the deletion. */
export interface Leaver {
  id: string
  name: string
  email: string
  emailVerifiedAt: Date | null
  avatar: string | null
  licenseScan: string | null
}

/** A feature's step in deleting an account: removes the account's data. Runs in the transaction that deletes the account. */
export type OnLeaving = (tx: Tx, emit: Emit, leaver: Leaver) => Promise<void>
