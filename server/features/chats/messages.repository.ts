import { sql, type RawBuilder } from 'kysely'
import type { FoundMessage, Message } from '#shared/schemas/messaging.ts'
import type { Db } from '#server/platform/db.ts'

export interface MessageToStore {
  chatId: string
  senderId: string
  clientId: string
  content: string
  attachmentUrl: string | null
  attachmentName: string | null
}

export interface MessageRow {
  id: string
  seq: number
  rev: number
  senderId: string
  content: string
  createdAt: Date
  clientId: string
  attachmentUrl: string | null
  attachmentName: string | null
  hiddenAt: Date | null
}

const columns = sql`m.id, m.seq, m.rev, m.sender_id, m.content, m.created_at, m.client_id, m.attachment_url, m.attachment_name, m.hidden_at`

/** What moderators have hidden keeps its place and loses what it said. */
export function toMessage({ createdAt, hiddenAt, ...row }: MessageRow): Message {
  const shown = hiddenAt === null
  return {
    id: row.id,
    seq: row.seq,
    rev: row.rev,
    senderId: row.senderId,
    content: shown ? row.content : '',
    createdAt: createdAt.toISOString(),
    clientId: row.clientId,
    attachmentUrl: shown ? row.attachmentUrl : null,
    attachmentName: shown ? row.attachmentName : null,
    ...(!shown && { hidden: true }),
  }
}

/**
 * Stores a message in one statement: the chat's numbers rise under its row lock, the message takes them, the sender's
 * read pointer follows, and the outbox gets the event. Undefined: the sender may not write here now (no member, blocked,
 * or the other is gone). `demoId` is the other where it is a demo dealer whom nobody plays. A client id used before breaks `messages_client`, and with it everything above is undone.
 */
export async function insertMessage(db: Db, message: MessageToStore) {
  const { rows } = await sql<MessageRow & { outboxId: string; dealerIds: string[]; demoId: string | null }>`
    with chat as (
      update chats set last_seq = last_seq + 1, rev = rev + 1,
        last_activity = date_trunc('milliseconds', clock_timestamp())
      where id = ${message.chatId} and ${message.senderId}::uuid in (low_dealer_id, high_dealer_id)
        and not exists (
          select from chat_members member join dealers on dealers.id = member.dealer_id
          where member.chat_id = chats.id and (
            member.blocked_at is not null or dealers.suspended_at is not null or dealers.deleted_at is not null))
      returning id, last_seq, rev, last_activity, low_dealer_id, high_dealer_id
    ), m as (
      insert into messages (chat_id, seq, rev, sender_id, client_id, content, attachment_url, attachment_name, created_at)
      select chat.id, chat.last_seq, chat.rev, ${message.senderId}, ${message.clientId}, ${message.content},
        ${message.attachmentUrl}, ${message.attachmentName}, chat.last_activity
      from chat returning *
    ), pointer as (
      update chat_members set read_seq = m.seq from m
      where chat_members.chat_id = m.chat_id and chat_members.dealer_id = m.sender_id
    ), stored as (
      insert into outbox (kind, name, payload)
      select 'event', 'message.sent', jsonb_build_object(
        'chatId', m.chat_id, 'rev', m.rev, 'seq', m.seq,
        'dealerIds', jsonb_build_array(chat.low_dealer_id, chat.high_dealer_id),
        'message', jsonb_build_object('id', m.id, 'seq', m.seq, 'rev', m.rev, 'senderId', m.sender_id,
          'content', m.content, 'clientId', m.client_id, 'attachmentUrl', m.attachment_url,
          'attachmentName', m.attachment_name,
          'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from m, chat returning id
    )
    select ${columns}, stored.id as outbox_id, array[chat.low_dealer_id, chat.high_dealer_id]::text[] as dealer_ids,
      (select dealers.id from dealers where dealers.id in (chat.low_dealer_id, chat.high_dealer_id)
        and dealers.id <> m.sender_id and dealers.demo
        and not exists (select from sessions where dealer_id = dealers.id and expires_at > now())) as demo_id
    from m, stored, chat`.execute(db)
  return rows[0]
}

/** The message a sender stored under this key, in whichever chat. */
export async function findByClientId(db: Db, senderId: string, clientId: string) {
  const { rows } = await sql<MessageRow & { chatId: string }>`
    select m.chat_id, ${columns} from messages m
    where m.sender_id = ${senderId} and m.client_id = ${clientId}`.execute(db)
  return rows[0]
}

/** The chat's numbers as its member sees them; undefined for anybody else. Read before the rows of a page. */
export async function findNumbers(db: Db, dealerId: string, chatId: string) {
  return db
    .selectFrom('chats')
    .innerJoin('chatMembers as mine', 'mine.chatId', 'chats.id')
    .select(['chats.rev', 'chats.lastSeq'])
    .where('chats.id', '=', chatId)
    .where('mine.dealerId', '=', dealerId)
    .executeTakeFirst()
}

async function list(db: Db, chatId: string, where: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) {
  const { rows } = await sql<MessageRow>`
    select ${columns} from messages m where m.chat_id = ${chatId} and ${where} order by ${order} limit ${limit}`.execute(
    db,
  )
  return rows.map(toMessage)
}

/** What changed after a number, oldest first. */
export const listAfterRev = (db: Db, chatId: string, rev: number, limit: number) =>
  list(db, chatId, sql`m.rev > ${rev}`, sql`m.rev`, limit)

/** The messages before a place, newest first. */
export const listBeforeSeq = (db: Db, chatId: string, seq: number, limit: number) =>
  list(db, chatId, sql`m.seq < ${seq}`, sql`m.seq desc`, limit)

/** The messages from a place on, oldest first. */
export const listFromSeq = (db: Db, chatId: string, seq: number, limit: number) =>
  list(db, chatId, sql`m.seq >= ${seq}`, sql`m.seq`, limit)

/** The last messages of several chats at once, oldest first within each. */
export async function listLast(db: Db, chatIds: string[], perChat: number): Promise<Map<string, Message[]>> {
  const { rows } = await sql<MessageRow & { chatId: string }>`
    select m.chat_id, ${columns} from unnest(${chatIds}::uuid[]) as chat(id)
    cross join lateral (
      select * from messages where chat_id = chat.id order by seq desc limit ${perChat}
    ) m order by m.chat_id, m.seq`.execute(db)
  const byChat = new Map<string, Message[]>()
  for (const row of rows) byChat.set(row.chatId, [...(byChat.get(row.chatId) ?? []), toMessage(row)])
  return byChat
}

/** The newest messages of one of the dealer's chats, or of all of them; oldest first. */
export async function listRecent(db: Db, dealerId: string, chatId: string | undefined, limit: number) {
  const { rows } = await sql<MessageRow & { chatId: string }>`
    select m.chat_id, ${columns} from chat_members mine
    cross join lateral (
      select * from messages where chat_id = mine.chat_id order by seq desc limit ${limit}
    ) m
    where mine.dealer_id = ${dealerId} and (${chatId ?? null}::uuid is null or mine.chat_id = ${chatId ?? null}::uuid)
    order by m.created_at desc, m.seq desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...toMessage(row), chatId: row.chatId })).toReversed()
}

/** Full-text search over the dealer's own chats; the last word may be unfinished. */
export async function searchMessages(db: Db, dealerId: string, query: string, limit: number): Promise<FoundMessage[]> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  const terms = words.map((word) => `${word}:*`).join(' & ')
  const { rows } = await sql<
    MessageRow & { chatId: string; otherId: string; name: string; avatar: string | null; dealershipName: string }
  >`
    select m.chat_id, ${columns}, dealers.id as other_id, dealers.name, dealers.avatar, dealers.dealership_name
    from chat_members mine
    join messages m on m.chat_id = mine.chat_id
    join chat_members other on other.chat_id = mine.chat_id and other.dealer_id <> mine.dealer_id
    join dealers on dealers.id = other.dealer_id
    where mine.dealer_id = ${dealerId} and m.hidden_at is null and m.search @@ to_tsquery('simple', ${terms})
    order by m.created_at desc, m.id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    chatId: row.chatId,
    message: toMessage(row),
    other: { id: row.otherId, name: row.name, avatar: row.avatar, dealershipName: row.dealershipName },
  }))
}
