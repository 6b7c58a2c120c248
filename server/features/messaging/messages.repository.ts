import { sql, type RawBuilder } from 'kysely'
import type { FoundMessage, Message, MessageSubject } from '#shared/schemas/messaging.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { lockWait, type Db, type Tx } from '#server/platform/database/db.ts'
import type { SentMessage } from './messaging.events.ts'

export interface MessageToStore {
  chatId: string
  senderId: string
  clientId: string
  content: string
  attachmentUrl: string | null
  attachmentName: string | null
  /** The post that the message is about. Ignored if the post does not exist. */
  postId: string | null
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
  subject: SubjectRow | null
}

type SubjectRow = Omit<MessageSubject, 'price' | 'vehicle'> & { priceCents: number | null; vehicle: string | null }

/** Selects the current state of the post that a message is about. An auction sells only the post's first vehicle. */
const subjectOf = (postId: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('postId', p.id, 'title', p.title,
    'vehicleCount', case when lot.id is null then p.vehicle_count else 1 end,
    'vehicle', nullif(concat_ws(' ', lot.year, lot.make, lot.model, lot.trim), ''),
    'priceCents', case when lot.id is not null then lot.price_cents else (
      select min(price_cents) from vehicles v where v.post_id = p.id and (p.vehicle_count = 1 or v.status = 'available')) end,
    'photoUrl', (select url from photos h where h.post_id = p.id
      and (lot.id is null or h.vehicle_id is null or h.vehicle_id = lot.id) order by h.position limit 1))
  from posts p
  left join lateral (select v.* from vehicles v where v.post_id = p.id and p.vehicle_count > 1 and exists (
      select from auctions a where a.post_id = p.id and a.status in ('open', 'deciding'))
    order by v.position limit 1) lot on true
  where p.id = ${postId} and p.deleted_at is null and p.hidden_at is null)`

const columns = sql`m.id, m.seq, m.rev, m.sender_id, m.content, m.created_at, m.client_id, m.attachment_url, m.attachment_name, m.hidden_at,
  ${subjectOf(sql`m.post_id`)} as subject`

function toSubject({ priceCents, vehicle, ...post }: SubjectRow): MessageSubject {
  const price = priceCents === null ? null : dollarsOf(priceCents)
  return { ...post, price, ...(vehicle !== null && { vehicle }) }
}

/** A message hidden by a moderator keeps its position but loses its content. */
export function toMessage({ createdAt, hiddenAt, subject, ...row }: MessageRow): Message {
  const isVisible = hiddenAt === null
  return {
    id: row.id,
    seq: row.seq,
    rev: row.rev,
    senderId: row.senderId,
    content: isVisible ? row.content : '',
    createdAt: createdAt.toISOString(),
    clientId: row.clientId,
    attachmentUrl: isVisible ? row.attachmentUrl : null,
    attachmentName: isVisible ? row.attachmentName : null,
    ...(isVisible && subject !== null && { subject: toSubject(subject) }),
    ...(!isVisible && { hidden: true }),
  }
}

const toSent = (chatId: string, dealerIds: string[], row: MessageRow): SentMessage => ({
  chatId,
  rev: row.rev,
  seq: row.seq,
  dealerIds,
  message: toMessage(row),
})

/** KNOWN: the key was used before. CLOSED: the sender may not write to this chat at the moment. */
export type StoredMessage = { outboxId: string; sent: SentMessage } | { refusal: 'KNOWN' | 'CLOSED' }

type StoredRow = { messageNo: number } & (
  | { refusal: 'KNOWN' | 'CLOSED' }
  | {
      refusal: null
      messageId: string
      seq: number
      rev: number
      sentAt: Date
      recipientId: string
      outboxId: string
    }
)

function toStored(message: MessageToStore, row: StoredRow, subject: SubjectRow | null): StoredMessage {
  if (row.refusal !== null) return { refusal: row.refusal }
  const { chatId, postId: _, ...written } = message
  const { messageId: id, seq, rev, sentAt: createdAt, recipientId, outboxId } = row
  const sent = toSent(chatId, [message.senderId, recipientId], {
    ...written,
    id,
    seq,
    rev,
    createdAt,
    hiddenAt: null,
    subject,
  })
  return { outboxId, sent }
}

/** Few messages are about a post, so most calls run no query. */
async function listSubjects(db: Db, postIds: string[]): Promise<Map<string, SubjectRow>> {
  if (postIds.length === 0) return new Map()
  const { rows } = await sql<{ subject: SubjectRow | null }>`
    select ${subjectOf(sql`asked.id`)} as subject from unnest(${postIds}::uuid[]) as asked (id)`.execute(db)
  return new Map(rows.flatMap(({ subject }) => (subject === null ? [] : [[subject.postId, subject]])))
}

/** Results are in the order of `messages`. Concurrent messages with the same key violate `messages_client`, which rolls back the batch. */
export async function insertMessages(
  db: Db,
  messages: MessageToStore[],
  lockWaitMs?: number,
): Promise<(StoredMessage | undefined)[]> {
  const requests = messages.map(({ chatId, senderId, clientId, content, attachmentUrl, attachmentName, postId }) => ({
    chat: chatId,
    sender: senderId,
    key: clientId,
    content,
    attachment_url: attachmentUrl,
    attachment_name: attachmentName,
    post_id: postId,
  }))
  const { rows } = await sql<StoredRow>`
    select stored.* from ${lockWait(lockWaitMs)}
    cross join store_messages(case when lock_wait.is_set then ${JSON.stringify(requests)}::jsonb end) as stored`.execute(
    db,
  )
  const subjects = await listSubjects(
    db,
    messages.flatMap(({ postId }) => postId ?? []),
  )
  const stored: (StoredMessage | undefined)[] = messages.map(() => undefined)
  for (const row of rows) {
    const message = messages[row.messageNo - 1]
    if (message !== undefined)
      stored[row.messageNo - 1] = toStored(message, row, subjects.get(message.postId ?? '') ?? null)
  }
  return stored
}

export async function findSent(db: Db, messageId: string): Promise<SentMessage | undefined> {
  const { rows } = await sql<MessageRow & { chatId: string; dealerIds: string[] }>`
    select m.chat_id, array[chats.low_dealer_id, chats.high_dealer_id] as dealer_ids, ${columns}
    from messages m join chats on chats.id = m.chat_id where m.id = ${messageId}`.execute(db)
  const [row] = rows
  return row && toSent(row.chatId, row.dealerIds, row)
}

export async function findByClientId(db: Db, senderId: string, clientId: string) {
  const { rows } = await sql<MessageRow & { chatId: string }>`
    select m.chat_id, ${columns} from messages m
    where m.sender_id = ${senderId} and m.client_id = ${clientId}`.execute(db)
  return rows[0]
}

/** Returns undefined if the dealer is not a member. Call this before reading a page, so that the rev is not newer than the rows. */
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

export const listAfterRev = (db: Db, chatId: string, rev: number, limit: number) =>
  list(db, chatId, sql`m.rev > ${rev}`, sql`m.rev`, limit)

export const listBeforeSeq = (db: Db, chatId: string, seq: number, limit: number) =>
  list(db, chatId, sql`m.seq < ${seq}`, sql`m.seq desc`, limit)

export const listFromSeq = (db: Db, chatId: string, seq: number, limit: number) =>
  list(db, chatId, sql`m.seq >= ${seq}`, sql`m.seq`, limit)

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

/** For a number after a hyphen, the index includes the hyphen: `-150` for F-150. Most of a phone number is stored the same way. */
const termOf = (word: string) => (/^\p{N}/u.test(word) ? `(${word}:* | '-${word}':*)` : `${word}:*`)

/** Matches the words of the term, or the term as the index tokenizes it, which keeps decimals and addresses whole. */
function searchTermsOf(piece: string): RawBuilder<unknown>[] {
  const words = piece.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  const whole = sql`select string_agg(quote_literal(lexeme) || ':*', ' & ')::tsquery
    from unnest(to_tsvector('simple', ${piece.replaceAll('\\', ' ')}))`
  return [sql`(to_tsquery('simple', ${words.map(termOf).join(' & ')}) || coalesce((${whole}), ''))`]
}

/** Searches the dealer's own chats by full text. Words match by prefix. */
export async function searchMessages(db: Db, dealerId: string, query: string, limit: number): Promise<FoundMessage[]> {
  const sought = query.toLowerCase().split(/\s+/).flatMap(searchTermsOf)
  if (sought.length === 0) return []
  const { rows } = await sql<
    MessageRow & { chatId: string; otherId: string; name: string; avatar: string | null; dealershipName: string }
  >`
    select m.chat_id, ${columns}, dealers.id as other_id, dealers.name, dealers.avatar, dealers.dealership_name
    from chat_members mine
    join messages m on m.chat_id = mine.chat_id
    join chat_members other on other.chat_id = mine.chat_id and other.dealer_id <> mine.dealer_id
    join dealers on dealers.id = other.dealer_id
    where mine.dealer_id = ${dealerId} and m.hidden_at is null and m.search @@ (${sql.join(sought, sql` && `)})
    order by m.created_at desc, m.id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    chatId: row.chatId,
    message: toMessage(row),
    other: { id: row.otherId, name: row.name, avatar: row.avatar, dealershipName: row.dealershipName },
  }))
}

/** Hides or restores a message and gives it the chat's next rev. Returns undefined if nothing changes. */
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
  const { rows } = await sql<MessageRow>`
    update messages m set hidden_at = ${hidden ? sql`clock_timestamp()` : sql`null`}, rev = ${rev}
    where m.id = ${messageId} returning ${columns}`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  return { chatId: found.chatId, dealerIds: [lowDealerId, highDealerId], message: toMessage(row) }
}

/** Removes old messages, except reported ones, which moderators need. Removed messages count as read. Returns their attachments. */
export async function removeOldest(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<{ senderId: string; attachmentUrl: string | null }[]> {
  // The lowest UUIDv7 of the millisecond `before`.
  const first = sql`(lpad(to_hex((extract(epoch from ${before}::timestamptz) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`
  const { rows } = await sql<{ senderId: string; attachmentUrl: string | null }>`
    with gone as (
      delete from messages where id in (
        select m.id from messages m where m.id < ${first} and m.created_at < ${before}
          and not exists (select from reports r where r.subject_kind = 'message' and r.subject_id = m.id)
        order by m.id limit ${limit})
      returning chat_id, seq, sender_id, attachment_url
    ), read as (
      update chat_members set read_seq = last.seq from (select chat_id, max(seq) as seq from gone group by chat_id) last
      where chat_members.chat_id = last.chat_id and chat_members.read_seq < last.seq
    )
    select sender_id, attachment_url from gone`.execute(tx)
  return rows
}
