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
import { createBatches } from '#server/platform/batches.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/db.ts'
import { countRead } from '#server/platform/guards.ts'
import type { Actor } from '#server/platform/session.ts'
import { publishStored, type Emit } from '#server/platform/transact.ts'
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
 * Sends a message once, however often it is asked for: a key that was used before gives the first answer again.
 * @throws 400 for blank text, or for an attachment that is no finished upload of the sender's; 404 for a chat that is not
 * the sender's; 403 with the reason where the other cannot be written to; 409 for a key that was used for something else;
 * 429 above 60 a minute.
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

/** Where the messages of this process are handed in: stored and announced when it answers. */
export type MessageBatcher = (message: MessageToStore) => Promise<StoredMessage>

/** Stores the messages of one chat in the order in which they came, those of several together. */
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

/** What was sent; undefined where it is gone by now. */
export const readSent = async (
  ctx: Context,
  { messageId, sent }: DomainEvents['message.sent'],
): Promise<SentMessage | undefined> => sent ?? findSent(ctx.db, messageId)

/** Stores and announces, whoever it is from: the sender's right to this chat is checked by the statement itself. */
export async function storeMessage(
  ctx: Context,
  message: MessageToStore,
  batcher: MessageBatcher = createMessageBatcher(ctx),
): Promise<Message> {
  const outcome = await batcher(message).catch((error: unknown) => {
    // The same key arrived on another node in the same moment: it is stored now, and asking again finds it.
    if (brokenConstraint(error) === 'messages_client') return batcher(message)
    throw error
  })
  if ('sent' in outcome) return outcome.sent.message
  if (outcome.refusal === 'CLOSED') throw await explainRefusal(ctx, message.senderId, message.chatId)
  return repeated(ctx, message)
}

/** The first answer again. @throws 409 for a key that was used for something else */
async function repeated(ctx: Context, message: MessageToStore): Promise<Message> {
  const first = await findByClientId(ctx.db, message.senderId, message.clientId)
  const same = first?.chatId === message.chatId && first.content === message.content
  if (!same || first.attachmentUrl !== message.attachmentUrl)
    throw conflict('This idempotency key was already used for another message')
  return toMessage(first)
}

/** @throws 404 for a chat that is not the caller's. */
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
    // A page that was cut short proves only what it holds.
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

/** The newest messages of one chat or of all, for programs with an API key. @throws 404 for a chat that is not the caller's */
export async function readRecentMessages(
  ctx: Context,
  actor: Actor,
  { chatId, limit }: RecentMessagesQuery,
): Promise<RecentMessage[]> {
  if (chatId !== undefined && (await findNumbers(ctx.db, actor.dealerId, chatId)) === undefined)
    throw notFound('This chat')
  return listRecent(ctx.db, actor.dealerId, chatId, limit)
}

/** Full text over the caller's own chats, newest first. */
export async function findMessages(ctx: Context, actor: Actor, query: string): Promise<FoundMessage[]> {
  await countRead(ctx, actor, 'message-search')
  return searchMessages(ctx.db, actor.dealerId, query, foundMax)
}

/**
 * Takes away what a message said, or gives it back; both dealers see it at once, and whoever is away catches up.
 * @returns false where there is no such message, or it is so already
 */
export async function setMessageHidden(tx: Tx, emit: Emit, messageId: string, hidden: boolean): Promise<boolean> {
  const changed = await updateHidden(tx, messageId, hidden)
  if (changed === undefined) return false
  const { rev, seq } = changed.message
  await emit('message.changed', { ...changed, rev, seq })
  return true
}

/** Up to so many messages of before that moment go for good, with their files. Answers how many it were. */
export async function sweepMessages(tx: Tx, before: Date, limit: number): Promise<number> {
  const gone = await removeOldest(tx, before, limit)
  for (const senderId of new Set(gone.map((message) => message.senderId)))
    await releaseUrls(
      tx,
      senderId,
      gone.flatMap((message) => (message.senderId === senderId ? (message.attachmentUrl ?? []) : [])),
    )
  return gone.length
}
