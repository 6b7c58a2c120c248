import type { Tx } from '#server/platform/db.ts'
import { removeNotes } from './dealer-file.repository.ts'

/** What admins have noted about an account that goes away. */
export const dropDealerNotes = (tx: Tx, dealerId: string): Promise<void> => removeNotes(tx, dealerId)
