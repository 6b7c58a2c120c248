import type { Tx } from '#server/platform/db.ts'
import { removeSessions } from '#server/platform/session.repository.ts'
import type { Emit } from '#server/platform/transact.ts'

/** Ends every session of the account with its sockets, or all but one, in the caller's transaction. */
export async function endSessions(
  tx: Tx,
  emit: Emit,
  dealerId: string,
  { code = 'revoked', except }: { code?: 'revoked' | 'suspended'; except?: Buffer } = {},
): Promise<void> {
  const ended = await removeSessions(tx, dealerId, except)
  // Durable: a crash here must not leave the socket of an ended session open.
  if (ended.length > 0)
    await emit('session.ended', { dealerId, sessionIds: ended.map((hash) => hash.toString('hex')), code })
}
