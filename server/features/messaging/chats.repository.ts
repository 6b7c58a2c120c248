import { sql } from 'kysely'
import type { ChatsQuery } from '#shared/schemas/messaging.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/http/page-cursors.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { showsReceipts } from './chat-members.repository.ts'

export interface ChatRow {
  id: string
  rev: number
  lastSeq: number
  readSeq: number
  unreadCount: number
  otherReadSeq: number | null
  lastActivity: Date
  /** `lastActivity` with microseconds, which the cursor needs. */
  at: string
  createdAt: Date
  muted: boolean
  blocked: boolean
  me: { id: string; name: string; avatar: string | null; dealershipName: string }
  other: { id: string; name: string; avatar: string | null; dealershipName: string }
}

const person = (
  alias: string,
) => sql`jsonb_build_object('id', ${sql.ref(`${alias}.id`)}, 'name', ${sql.ref(`${alias}.name`)},
  'avatar', ${sql.ref(`${alias}.avatar`)}, 'dealershipName', ${sql.ref(`${alias}.dealershipName`)})`

const unseen = sql`from messages m where m.chat_id = c.id and m.seq > mine.read_seq and m.sender_id <> mine.dealer_id`

const selectChats = sql`
  select c.id, c.rev, c.last_seq, mine.read_seq, c.last_activity, c.last_activity::text as at, c.created_at,
    (select count(*) ${unseen}) as unread_count,
    mine.muted_at is not null as muted, mine.blocked_at is not null as blocked,
    case when ${showsReceipts} then theirs.read_seq end as other_read_seq,
    ${person('me')} as me, ${person('other')} as other
  from chat_members mine
  join chats c on c.id = mine.chat_id
  join chat_members theirs on theirs.chat_id = c.id and theirs.dealer_id <> mine.dealer_id
  join dealers me on me.id = mine.dealer_id
  join dealers other on other.id = theirs.dealer_id`

/** An empty chat is listed only for the dealer who opened it. */
const isTheirs = sql`(c.last_seq > 0 or c.opened_by is null or c.opened_by = mine.dealer_id)`

const wantedChats = (dealerId: string, { search, unread }: Pick<ChatsQuery, 'search' | 'unread'>) => sql`
  mine.dealer_id = ${dealerId} and ${isTheirs}
    and (not ${unread}::boolean or exists (select ${unseen}))
    and position(lower(${search ?? ''}) in lower(other.name || E'\n' || other.dealership_name)) > 0`

export async function listChats(db: Db, dealerId: string, query: Omit<ChatsQuery, 'messages'>) {
  const after = query.cursor === undefined ? undefined : decodeCursor(TimeKey, query.cursor)
  const from =
    after === undefined ? sql`true` : sql`(c.last_activity, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<ChatRow>`${selectChats}
    where ${wantedChats(dealerId, query)} and ${from}
    order by c.last_activity desc, c.id desc limit ${query.limit + 1}`.execute(db)
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const more = rows.length > query.limit && last !== undefined
  return { rows: page, next: more ? encodeCursor({ at: last.at, id: last.id }) : undefined }
}

export async function countChats(db: Db, dealerId: string, query: Pick<ChatsQuery, 'search' | 'unread'>) {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from chat_members mine
    join chats c on c.id = mine.chat_id
    join dealers other on other.id = case c.low_dealer_id when mine.dealer_id then c.high_dealer_id else c.low_dealer_id end
    where ${wantedChats(dealerId, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function findChat(db: Db, dealerId: string, chatId: string): Promise<ChatRow | undefined> {
  const { rows } = await sql<ChatRow>`${selectChats}
    where mine.dealer_id = ${dealerId} and c.id = ${chatId}`.execute(db)
  return rows[0]
}

const pairOf = (dealerId: string, otherId: string) =>
  dealerId < otherId ? ([dealerId, otherId] as const) : ([otherId, dealerId] as const)

/** Returns the id of the two dealers' chat, or undefined if it is not in the list of `dealerId`. */
export async function findChatWith(db: Db, dealerId: string, otherId: string): Promise<string | undefined> {
  const [low, high] = pairOf(dealerId, otherId)
  const { rows } = await sql<{ id: string }>`
    select c.id from chats c join chat_members mine on mine.chat_id = c.id and mine.dealer_id = ${dealerId}
    where c.low_dealer_id = ${low} and c.high_dealer_id = ${high} and ${isTheirs}`.execute(db)
  return rows[0]?.id
}

export async function isReachable(db: Db, dealerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('dealers')
    .select('id')
    .where('id', '=', dealerId)
    .where((eb) => eb.not(isSuspended('dealers')))
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds or creates a chat. `isNew` is true if the chat was not in the list of `dealerId` before. */
export async function ensureChat(tx: Tx, dealerId: string, otherId: string): Promise<{ id: string; isNew: boolean }> {
  const [low, high] = pairOf(dealerId, otherId)
  const { rows } = await sql<{ id: string }>`
    insert into chats (low_dealer_id, high_dealer_id, opened_by) values (${low}, ${high}, ${dealerId})
    on conflict on constraint chats_pair do nothing returning id`.execute(tx)
  const made = rows[0]
  if (made !== undefined) {
    await tx
      .insertInto('chatMembers')
      .values([
        { chatId: made.id, dealerId },
        { chatId: made.id, dealerId: otherId },
      ])
      .execute()
    return { id: made.id, isNew: true }
  }
  const known = await tx
    .selectFrom('chats')
    .select(['id', 'lastSeq', 'openedBy'])
    .where('lowDealerId', '=', low)
    .where('highDealerId', '=', high)
    .executeTakeFirstOrThrow()
  const isNew = known.lastSeq === 0 && known.openedBy === otherId
  if (isNew) await tx.updateTable('chats').set({ openedBy: null }).where('id', '=', known.id).execute()
  return { id: known.id, isNew }
}

export async function listSyncHeads(
  db: Db,
  dealerId: string,
  limit: number,
): Promise<[string, number, number, number][]> {
  const { rows } = await sql<{ id: string; rev: number; lastSeq: number; readSeq: number }>`
    select c.id, c.rev, c.last_seq, mine.read_seq from chat_members mine join chats c on c.id = mine.chat_id
    where mine.dealer_id = ${dealerId} and ${isTheirs}
    order by c.last_activity desc, c.id desc limit ${limit}`.execute(db)
  return rows.map(({ id, rev, lastSeq, readSeq }) => [id, rev, lastSeq, readSeq])
}

/** Returns the revisions of those chats that are the dealer's. */
export async function listRevs(db: Db, dealerId: string, chatIds: readonly string[]): Promise<[string, number][]> {
  if (chatIds.length === 0) return []
  const { rows } = await sql<{ id: string; rev: number }>`
    select c.id, c.rev from chat_members mine join chats c on c.id = mine.chat_id
    where mine.dealer_id = ${dealerId} and c.id = any(${chatIds}::uuid[]) and ${isTheirs}`.execute(db)
  return rows.map(({ id, rev }) => [id, rev])
}
