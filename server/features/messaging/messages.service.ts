import type {
  FoundMessage,
  Message,
  MessagesPage,
  MessagesQuery,
  NewMessage,
  RecentMessage,
  RecentMessagesQuery,
} from '#shared/schemas/messaging.ts'
import { trimText, trimTitle } from '#shared/visible-text.ts'
import type { DomainEvents } from '#server/events.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { attachFile, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import { createBatches } from '#server/platform/database/statement-batches.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/database/db.ts'
import { countRead } from '#server/platform/http/guards.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { publishStored, type Emit } from '#server/platform/database/transact.ts'
import { explainRefusal } from './chats.service.ts'
import {
  findByClientId,
  findNumbers,
  findSent,
  insertMessages,
  listAfterRev,
  listBeforeSeq,
  listFromSeq,
  listRecent,
  type MessageToStore,
  removeOldest,
  searchMessages,
  type StoredMessage,
  toMessage,
  updateHidden,
} from './messages.repository.ts'
import type { SentMessage } from './messaging.events.ts'

const messageLimit = { name: 'messages', max: 60, seconds: 60 }
const foundMax = 50

/**
 * Sends a message once per key. A repeated key returns the first message.
 * @throws 400 if the message is blank or the attachment is not a finished upload of the sender; 403 if the other dealer cannot receive
 * messages; 404 if the chat is not the sender's; 409 if the key was used for another message; 429 after too many messages
 */
export async function sendMessage(
  ctx: Context,
  batcher: MessageBatcher,
  actor: Actor,
  input: NewMessage,
  key: string,
): Promise<Message> {
  const content = trimText(input.content)
  if (content === '' && input.attachmentUrl === undefined) throw badRequest('Enter a message first')
  await ctx.limiter.consume(messageLimit, actor.dealerId)
  const toStore = {
    chatId: input.chatId,
    senderId: actor.dealerId,
    clientId: key,
    content,
    attachmentUrl:
      input.attachmentUrl === undefined ? null : await attachFile(ctx.db, actor.dealerId, input.attachmentUrl),
    attachmentName: trimTitle(input.attachmentName ?? '') || null,
    postId: input.postId ?? null,
  }
  return storeMessage(ctx, toStore, batcher)
}

/** Resolves when the message is stored and published. */
export type MessageBatcher = (message: MessageToStore) => Promise<StoredMessage>

/** Returns a function that stores messages in batches. The messages of a chat keep their order. */
export function createMessageBatcher(ctx: Context): MessageBatcher {
  return createBatches<MessageToStore, StoredMessage>(
    ({ chatId }) => chatId,
    async (messages, lockWaitMs) => {
      const outcomes = await insertMessages(ctx.db, messages, lockWaitMs)
      for (const outcome of outcomes)
        if (outcome !== undefined && 'sent' in outcome)
          publishStored(ctx, outcome.outboxId, 'message.sent', {
            messageId: outcome.sent.message.id,
            sent: outcome.sent,
          })
      return outcomes
    },
  )
}

export const readSent = async (
  ctx: Context,
  { messageId, sent }: DomainEvents['message.sent'],
): Promise<SentMessage | undefined> => sent ?? findSent(ctx.db, messageId)

/** Stores and publishes a message. The SQL statement itself checks that the sender may write to the chat. */
export async function storeMessage(
  ctx: Context,
  message: MessageToStore,
  batcher: MessageBatcher = createMessageBatcher(ctx),
): Promise<Message> {
  const outcome = await batcher(message).catch((error: unknown) => {
    // Another node stored a message with the same key at the same time. The second attempt finds that message.
    if (brokenConstraint(error) === 'messages_client') return batcher(message)
    throw error
  })
  if ('sent' in outcome) return outcome.sent.message
  if (outcome.refusal === 'CLOSED') throw await explainRefusal(ctx, message.senderId, message.chatId)
  return repeated(ctx, message)
}

/** Returns the message that was sent with this key. @throws 409 if it differs from this message */
async function repeated(ctx: Context, message: MessageToStore): Promise<Message> {
  const first = await findByClientId(ctx.db, message.senderId, message.clientId)
  const same = first?.chatId === message.chatId && first.content === message.content
  if (!same || first.attachmentUrl !== message.attachmentUrl)
    throw conflict('This idempotency key was already used for another message')
  return toMessage(first)
}

/** @throws 404 if the chat is not the caller's */
export async function readMessages(
  ctx: Context,
  actor: Actor,
  chatId: string,
  { afterRev, beforeSeq, aroundSeq, limit }: MessagesQuery,
): Promise<MessagesPage> {
  const numbers = await findNumbers(ctx.db, actor.dealerId, chatId)
  if (numbers === undefined) throw notFound('This chat')
  if (afterRev !== undefined) {
    const messages = await listAfterRev(ctx.db, chatId, afterRev, limit + 1)
    const more = messages.length > limit
    const page = messages.slice(0, limit)
    // If the page is truncated, the client is up to date only to the rev of the page's last message.
    return { ...numbers, rev: more ? (page.at(-1)?.rev ?? afterRev) : numbers.rev, messages: page, more }
  }
  if (aroundSeq !== undefined) {
    const half = Math.ceil(limit / 2)
    const before = await listBeforeSeq(ctx.db, chatId, aroundSeq, half)
    const after = await listFromSeq(ctx.db, chatId, aroundSeq, limit - before.length)
    return { ...numbers, messages: [...before.toReversed(), ...after], more: (before.at(-1)?.seq ?? 1) > 1 }
  }
  const messages = await listBeforeSeq(ctx.db, chatId, beforeSeq ?? numbers.lastSeq + 1, limit + 1)
  return { ...numbers, messages: messages.slice(0, limit).toReversed(), more: messages.length > limit }
}

/** Lists recent messages for API clients. @throws 404 if the chat is not the caller's */
export async function readRecentMessages(
  ctx: Context,
  actor: Actor,
  { chatId, limit }: RecentMessagesQuery,
): Promise<RecentMessage[]> {
  if (chatId !== undefined && (await findNumbers(ctx.db, actor.dealerId, chatId)) === undefined)
    throw notFound('This chat')
  return listRecent(ctx.db, actor.dealerId, chatId, limit)
}

export async function findMessages(ctx: Context, actor: Actor, query: string): Promise<FoundMessage[]> {
  await countRead(ctx, actor, 'message-search')
  return searchMessages(ctx.db, actor.dealerId, query, foundMax)
}

/** Hides or restores a message for both dealers. Returns false if nothing changes. */
export async function setMessageHidden(tx: Tx, emit: Emit, messageId: string, hidden: boolean): Promise<boolean> {
  const changed = await updateHidden(tx, messageId, hidden)
  if (changed === undefined) return false
  const { rev, seq } = changed.message
  await emit('message.changed', { ...changed, rev, seq })
  return true
}

export async function sweepMessages(tx: Tx, before: Date, limit: number): Promise<number> {
  const removed = await removeOldest(tx, before, limit)
  for (const senderId of new Set(removed.map((message) => message.senderId)))
    await releaseUrls(
      tx,
      senderId,
      removed.flatMap((message) => (message.senderId === senderId ? (message.attachmentUrl ?? []) : [])),
    )
  return removed.length
}
