import type { Tx } from './database/db.ts'
import type { Emit } from './database/transact.ts'

/** The data of an account before its deletion. */
export interface Leaver {
  id: string
  name: string
  email: string
  emailVerifiedAt: Date | null
  avatar: string | null
  licenseScan: string | null
}

/** A feature's step that removes the data of an account. Runs in the transaction that deletes the account. */
export type OnLeaving = (tx: Tx, emit: Emit, leaver: Leaver) => Promise<void>
