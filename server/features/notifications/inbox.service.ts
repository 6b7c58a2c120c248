import type { InboxKind } from '#shared/events/notifications.ts'
import { bumpRevs, findRev } from '#server/features/dealers/dealers.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Context } from '#server/platform/context.ts'
import type { Emit } from '#server/platform/transact.ts'

/**
 * Tells dealers, in all their tabs, that something of theirs changed. Their number rises in the same transaction,
 * so a tab that missed the event sees the gap.
 */
export async function touchInbox(tx: Tx, emit: Emit, dealerIds: string[], what: InboxKind, id: string): Promise<void> {
  for (const { outboxId, payload } of await bumpRevs(tx, dealerIds, what, id))
    await emit('inbox.changed', payload, outboxId)
}

/** The dealer's own number now. */
export const currentRev = (ctx: Context, dealerId: string): Promise<number> => findRev(ctx.db, dealerId)
