import type { InboxKind } from '#shared/events/notifications.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { bumpRevs, findRev } from './inbox.repository.ts'

/** Notifies all tabs of these dealers. Also increments each dealer's rev, so that a tab that misses the event detects the gap. */
export async function touchInbox(tx: Tx, emit: Emit, dealerIds: string[], what: InboxKind, id: string): Promise<void> {
  for (const { outboxId, payload } of await bumpRevs(tx, dealerIds, what, id))
    await emit('inbox.changed', payload, outboxId)
}

export const currentRev = (ctx: Context, dealerId: string): Promise<number> => findRev(ctx.db, dealerId)
