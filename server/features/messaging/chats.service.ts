import type { Chat, ChatPatch, ChatsQuery, Message, OpenChat } from '#shared/schemas/messaging.ts'
import type { SyncAnswer } from '#shared/events/control.ts'
import { chatsPageMax, messagesPerWindow } from '#shared/limits.ts'
import { badRequest, forbidden, notFound, type AppError } from '#server/errors.ts'
import { currentRev, touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isId } from '#server/platform/ids.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { advanceRead, findObstacles, updateMember } from './chat-members.repository.ts'
import {
  countChats,
  ensureChat,
  findChat,
  findChatWith,
  isReachable,
  listChats,
  listRevs,
  listSyncHeads,
  type ChatRow,
} from './chats.repository.ts'
import { listLast } from './messages.repository.ts'

/** Number of most recently active chats that are compared when a client catches up. If all these are stale, `more` is set. */
const syncMax = 50
const openLimit = { name: 'chats-open', max: 60, seconds: 60 }

function toChat({ me, other, ...row }: ChatRow, messages: Message[]): Chat {
  return {
    id: row.id,
    participants: [me, other],
    messages,
    unreadCount: row.unreadCount,
    lastActivity: row.lastActivity.toISOString(),
    createdAt: row.createdAt.toISOString(),
    rev: row.rev,
    lastSeq: row.lastSeq,
    readSeq: row.readSeq,
    otherReadSeq: row.otherReadSeq,
    muted: row.muted,
    blocked: row.blocked,
    context: null,
  }
}

export async function readChats(
  ctx: Context,
  actor: Actor,
  query: ChatsQuery,
): Promise<{ chats: Chat[]; total: number; next: string | undefined }> {
  const [{ rows, next }, total] = await Promise.all([
    listChats(ctx.db, actor.dealerId, query),
    countChats(ctx.db, actor.dealerId, query),
  ])
  const ids = rows.map((row) => row.id)
  const messages = await listLast(ctx.db, ids, query.messages)
  return { chats: rows.map((row) => toChat(row, messages.get(row.id) ?? [])), total, next }
}

export async function findChats({ db }: Pick<Context, 'db'>, actor: Actor, search: string, limit: number) {
  const { rows } = await listChats(db, actor.dealerId, { search, limit, unread: false })
  return rows.map(({ id, other, unreadCount }) => ({ id, other, unreadCount }))
}

/** @throws 404 if the chat is not the caller's */
export async function readChat(ctx: Context, actor: Actor, chatId: string): Promise<Chat> {
  const row = await findChat(ctx.db, actor.dealerId, chatId)
  if (row === undefined) throw notFound('This chat')
  return toChat(row, (await listLast(ctx.db, [chatId], messagesPerWindow)).get(chatId) ?? [])
}

export const chatBetween = async (db: Db, dealerId: string, otherId: string): Promise<string | null> =>
  (await findChatWith(db, dealerId, otherId)) ?? null

/** Finds or creates the chat with a dealer. @throws 400 if the dealer is the caller; 404 if the dealer is deleted or suspended */
export async function openChat(ctx: Context, actor: Actor, { dealerId }: OpenChat): Promise<Chat> {
  if (dealerId === actor.dealerId) throw badRequest('You cannot message yourself')
  await ctx.limiter.consume(openLimit, actor.dealerId)
  const chatId = await ctx.transact(async (tx, emit) => {
    if (!(await isReachable(tx, dealerId))) throw notFound('This dealer')
    const { id, isNew } = await ensureChat(tx, actor.dealerId, dealerId)
    // Update only the caller's other tabs. The other dealer sees the chat when its first message arrives.
    if (isNew) await touchInbox(tx, emit, [actor.dealerId], 'chat', id)
    return id
  })
  return readChat(ctx, actor, chatId)
}

/** Mutes or blocks a chat for the caller only. @throws 404 if the chat is not the caller's */
export async function changeChat(ctx: Context, actor: Actor, chatId: string, patch: ChatPatch): Promise<Chat> {
  await ctx.transact(async (tx, emit) => {
    if (!(await updateMember(tx, actor.dealerId, chatId, patch))) throw notFound('This chat')
    await touchInbox(tx, emit, [actor.dealerId], 'chat', chatId)
  })
  const chat = await readChat(ctx, actor, chatId)
  const [me, other] = chat.participants
  if (patch.blocked === true && me && other) ctx.bus.publish('chat.blocked', { between: [me.id, other.id] })
  return chat
}

/** Marks messages up to `seq` as read. Ignores a `seq` that is already read, and chats of other dealers. */
export async function markRead(ctx: Context, actor: Actor, chatId: string, seq: number): Promise<void> {
  const moved = await advanceRead(ctx.db, actor.dealerId, chatId, seq)
  if (moved === undefined) return
  ctx.bus.publish('chat.read', {
    chatId,
    dealerId: actor.dealerId,
    seq: moved.seq,
    otherId: moved.receipts ? moved.otherId : undefined,
  })
}

/** Says why a message was rejected. A chat of other dealers looks like a missing chat, so that nobody learns which chats exist. */
export async function explainRefusal(ctx: Context, dealerId: string, chatId: string): Promise<AppError> {
  const obstacles = await findObstacles(ctx.db, dealerId, chatId)
  if (obstacles === undefined) return notFound('This chat')
  if (obstacles.gone) return forbidden('This dealer is no longer on Lanewire')
  if (obstacles.mine) return forbidden('You blocked this dealer. Unblock them to send messages')
  return forbidden('This dealer is not accepting messages from you')
}

export async function chatSyncHeads(ctx: Context, dealerId: string) {
  const [dealerRev, chats] = await Promise.all([
    currentRev(ctx, dealerId),
    listSyncHeads(ctx.db, dealerId, chatsPageMax),
  ])
  return { dealerRev, chats }
}

/**
 * Returns the chats that the caller does not know, or whose rev differs from `knownRevs`. Compares the `syncMax` most recently active chats
 * and all chats in `knownRevs`, because hiding a message raises a chat's rev but not its activity.
 */
export async function compareChats(
  ctx: Context,
  actor: Actor,
  knownRevs: Record<string, number> | undefined,
): Promise<SyncAnswer> {
  if (knownRevs === undefined) return {}
  const isStale = ([id, rev]: readonly [string, number, ...unknown[]]) => knownRevs[id] !== rev
  const recent = await listSyncHeads(ctx.db, actor.dealerId, syncMax)
  const recentIds = new Set(recent.map(([id]) => id))
  const others = Object.keys(knownRevs).filter((id) => isId(id) && !recentIds.has(id))
  const staleRecent = recent.filter(isStale)
  const stale = [...staleRecent, ...(await listRevs(ctx.db, actor.dealerId, others)).filter(isStale)]
  if (stale.length === 0) return {}
  return {
    chats: Object.fromEntries(stale.map(([id, rev]) => [id, rev])),
    ...(staleRecent.length === syncMax && { more: true }),
  }
}
