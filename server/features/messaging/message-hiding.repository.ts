import { sql } from 'kysely'
import type { Message } from '#shared/schemas/messaging.ts'
import type { Tx } from '#server/platform/db.ts'
import { toMessage, type MessageRow } from './messages.repository.ts'

/**
 * Hides or shows a message as a change of its chat: it takes the chat's next number, under the chat's row lock, and keeps
 * its place. Undefined: there is no such message, or it is so already.
 */
export async function updateHidden(
  tx: Tx,
  messageId: string,
  hidden: boolean,
): Promise<{ chatId: string; dealerIds: string[]; message: Message } | undefined> {
  const found = await tx
    .selectFrom('messages')
    .select(['chatId', 'hiddenAt'])
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined || (found.hiddenAt !== null) === hidden) return undefined
  const { rev, lowDealerId, highDealerId } = await tx
    .updateTable('chats')
    .set({ rev: sql<number>`rev + 1` })
    .where('id', '=', found.chatId)
    .returning(['rev', 'lowDealerId', 'highDealerId'])
    .executeTakeFirstOrThrow()
  const row: MessageRow = await tx
    .updateTable('messages')
    .set({ hiddenAt: hidden ? sql<Date>`clock_timestamp()` : null, rev })
    .where('id', '=', messageId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { chatId: found.chatId, dealerIds: [lowDealerId, highDealerId], message: toMessage(row) }
}
