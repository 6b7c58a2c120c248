import type {
  FoundMessage,
  Message,
  MessagesPage,
  MessagesQuery,
  NewMessage,
  RecentMessage,
  RecentMessagesQuery,
} from '#shared/schemas/messaging.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'
import { announce } from '#server/platform/transact.ts'
import { explainRefusal } from './chats.service.ts'
import { answerAsDemo } from './demo-replies.service.ts'
import {
  findByClientId,
  findNumbers,
  insertMessage,
  listAfterRev,
  listBeforeSeq,
  listFromSeq,
  listRecent,
  searchMessages,
  toMessage,
  type MessageToStore,
} from './messages.repository.ts'

const messageLimit = { name: 'messages', max: 60, seconds: 60 }
const searchLimit = { name: 'message-search', max: 60, seconds: 60 }
const foundMax = 50

/**
 * Sends a message once, however often it is asked for: a key that was used before gives the first answer again.
 * @throws 400 for blank text, 404 for a chat that is not the sender's, 403 with the reason where the other cannot be
 * written to, 409 for a key that was used for something else, 429 above 60 a minute.
 */
export async function sendMessage(ctx: Context, actor: Actor, input: NewMessage, key: string): Promise<Message> {
  const content = input.content.trim()
  if (content === '' && input.attachmentUrl === undefined) throw badRequest('Write something before you send')
  await ctx.limiter.consume(messageLimit, actor.dealerId)
  const { message, demoId } = await storeMessage(ctx, {
    chatId: input.chatId,
    senderId: actor.dealerId,
    clientId: key,
    content,
    attachmentUrl: input.attachmentUrl ?? null,
    attachmentName: input.attachmentName ?? null,
  })
  if (ctx.config.demo && demoId !== null) await answerAsDemo(ctx, input.chatId, demoId)
  return message
}

/** Stores and announces, whoever it is from: the sender's right to this chat is checked by the statement itself. */
export async function storeMessage(
  ctx: Context,
  message: MessageToStore,
): Promise<{ message: Message; demoId: string | null }> {
  try {
    const stored = await insertMessage(ctx.db, message)
    if (stored === undefined) throw await explainRefusal(ctx, message.senderId, message.chatId)
    const { outboxId, dealerIds, demoId, ...row } = stored
    const sent = toMessage(row)
    announce(ctx, outboxId, 'message.sent', {
      chatId: message.chatId,
      rev: sent.rev,
      seq: sent.seq,
      dealerIds,
      message: sent,
    })
    return { message: sent, demoId }
  } catch (error) {
    if (brokenConstraint(error) !== 'messages_client') throw error
    const first = await findByClientId(ctx.db, message.senderId, message.clientId)
    if (first === undefined) throw error
    const same = first.chatId === message.chatId && first.content === message.content
    if (!same || first.attachmentUrl !== message.attachmentUrl) throw conflict('This key was used for another message')
    return { message: toMessage(first), demoId: null }
  }
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
  await ctx.limiter.consume(searchLimit, actor.dealerId)
  return searchMessages(ctx.db, actor.dealerId, query, foundMax)
}
