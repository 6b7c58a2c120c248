import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

/** A member's privacy setting. Settings apply in both directions. The default is to show. */
const shows = (alias: string, setting: string) =>
  sql<boolean>`coalesce((${sql.ref(`${alias}.settings`)} ->> ${sql.lit(setting)})::boolean, true)`

/** `me` and `other` are the dealers of the members `mine` and `theirs`. */
export const showsReceipts = sql<boolean>`(${shows('me', 'readReceipts')} and ${shows('other', 'readReceipts')}
  and mine.blocked_at is null and theirs.blocked_at is null)`

/** Moves the read pointer forward to `seq`, and further past the dealer's own messages. Returns undefined if the pointer did not move. */
export async function advanceRead(db: Db, dealerId: string, chatId: string, seq: number) {
  const { rows } = await sql<{ seq: number; otherId: string; receipts: boolean }>`
    update chat_members mine set read_seq = coalesce((
      select min(m.seq) - 1 from messages m
      where m.chat_id = c.id and m.seq > ${seq}::bigint and m.sender_id <> mine.dealer_id), c.last_seq)
    from chats c
    join chat_members theirs on theirs.chat_id = c.id
    join dealers other on other.id = theirs.dealer_id, dealers me
    where mine.chat_id = ${chatId} and mine.dealer_id = ${dealerId} and c.id = mine.chat_id
      and theirs.dealer_id <> mine.dealer_id and me.id = mine.dealer_id
      and mine.read_seq < least(${seq}::bigint, c.last_seq)
    returning mine.read_seq as seq, other.id as other_id,
      ${showsReceipts} as receipts`.execute(db)
  return rows[0]
}

export async function updateMember(
  tx: Tx,
  dealerId: string,
  chatId: string,
  { muted, blocked }: { muted?: boolean; blocked?: boolean },
): Promise<boolean> {
  // Set an omitted column to its current value, because an update needs at least one column.
  const stamp = (on: boolean | undefined, column: string) => {
    if (on === undefined) return sql<Date | null>`${sql.ref(column)}`
    return on ? sql<Date>`now()` : null
  }
  const result = await tx
    .updateTable('chatMembers')
    .set({ mutedAt: stamp(muted, 'mutedAt'), blockedAt: stamp(blocked, 'blockedAt') })
    .where('chatId', '=', chatId)
    .where('dealerId', '=', dealerId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function findObstacles(db: Db, dealerId: string, chatId: string) {
  const { rows } = await sql<{ mine: boolean; theirs: boolean; gone: boolean }>`
    select mine.blocked_at is not null as mine, theirs.blocked_at is not null as theirs,
      ${isSuspended('dealers')} or dealers.deleted_at is not null as gone
    from chat_members mine
    join chat_members theirs on theirs.chat_id = mine.chat_id and theirs.dealer_id <> mine.dealer_id
    join dealers on dealers.id = theirs.dealer_id
    where mine.chat_id = ${chatId} and mine.dealer_id = ${dealerId}`.execute(db)
  return rows[0]
}

/** Typing is shown only if neither dealer has blocked the other and both show typing. */
export async function mayShowTyping(db: Db, dealerId: string, chatId: string): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    select bool_and(${shows('dealers', 'typingIndicators')} and member.blocked_at is null) as shown
    from chat_members member join dealers on dealers.id = member.dealer_id
    where member.chat_id = ${chatId}
      and exists (select from chat_members mine where mine.chat_id = ${chatId} and mine.dealer_id = ${dealerId})`.execute(
    db,
  )
  return rows[0]?.shown ?? false
}
