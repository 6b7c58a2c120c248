import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { updateHidden } from './message-hiding.repository.ts'

/**
 * Takes away what a message said, or gives it back; both dealers see it at once, and whoever is away catches up.
 * @returns false where there is no such message, or it is so already
 */
export async function setMessageHidden(tx: Tx, emit: Emit, messageId: string, hidden: boolean): Promise<boolean> {
  const changed = await updateHidden(tx, messageId, hidden)
  if (changed === undefined) return false
  const { rev, seq } = changed.message
  await emit.durable('message.changed', { ...changed, rev, seq })
  return true
}
