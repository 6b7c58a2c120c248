import type { Tx } from './database/db.ts'
import type { Emit } from './database/transact.ts'

/** An account that is being deleted, with its data before the deletion. */
export interface Leaver {
  id: string
  name: string
  email: string
  /** Null if the email address was never confirmed. */
  emailVerifiedAt: Date | null
  avatar: string | null
  licenseScan: string | null
}

/** A feature's step that removes the data of an account. Runs in the transaction that deletes the account. */
export type OnLeaving = (tx: Tx, emit: Emit, leaver: Leaver) => Promise<void>
