import { sql, type Insertable } from 'kysely'
import type { Notification } from '#shared/schemas/notifications.ts'
import type { NotificationKind } from '#shared/settings.ts'
import type { Notifications } from '#server/db/schema.ts'
import { type Db, slices, type Tx } from '#server/platform/database/db.ts'

export interface NotificationRow {
  dealerId: string
  kind: NotificationKind
  title: string
  body: string
  path: string
  actorId: string | null
  dedupeKey: string | null
  inApp: boolean
  push: boolean
  mailDueAt: Date | null
}

/** Inserts only one notification per dedupe key and dealer. Returns the inserted notifications. */
export async function insertNotifications(
  tx: Tx,
  rows: NotificationRow[],
): Promise<(Pick<NotificationRow, 'dealerId' | 'kind' | 'push' | 'mailDueAt'> & { id: string })[]> {
  const added = []
  for (const part of slices(rows))
    added.push(
      ...(await tx
        .insertInto('notifications')
        .values(part)
        .onConflict((conflict) => conflict.columns(['dealerId', 'dedupeKey']).doNothing())
        .returning(['id', 'dealerId', 'kind', 'push', 'mailDueAt'])
        .execute()),
    )
  return added
}

/** `readsMail` is false for simulated demo dealers, whose email nobody reads. */
export async function listRecipients(tx: Tx, dealerIds: string[]) {
  return tx
    .selectFrom('dealers')
    .select(['id', 'settings'])
    .select(
      sql<boolean>`not demo or exists (select from sessions s where s.dealer_id = dealers.id and s.expires_at > now())`.as(
        'readsMail',
      ),
    )
    .select(sql<boolean>`exists (select from push_devices d where d.dealer_id = dealers.id)`.as('hasDevice'))
    .where(sql<boolean>`id = any(${dealerIds}::uuid[])`)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Returns the pairs in which the recipient has blocked the actor, as `recipient:actor`. */
export async function listBlockedPairs(tx: Tx, pairs: { dealerId: string; actorId: string }[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const { rows } = await sql<{ pair: string }>`
    select pair.dealer_id || ':' || pair.actor_id as pair
    from unnest(${pairs.map((pair) => pair.dealerId)}::uuid[], ${pairs.map((pair) => pair.actorId)}::uuid[])
      as pair(dealer_id, actor_id)
    join chats on chats.low_dealer_id = least(pair.dealer_id, pair.actor_id)
      and chats.high_dealer_id = greatest(pair.dealer_id, pair.actor_id)
    join chat_members m on m.chat_id = chats.id and m.dealer_id = pair.dealer_id and m.blocked_at is not null`.execute(
    tx,
  )
  return new Set(rows.map(({ pair }) => pair))
}

export async function listNotifications(
  db: Db,
  dealerId: string,
  by: 'inApp' | 'push',
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Notification[]> {
  let query = db
    .selectFrom('notifications as notice')
    .leftJoin('dealers as actor', 'actor.id', 'notice.actorId')
    .select(['notice.id', 'notice.kind', 'notice.title', 'notice.body', 'notice.path', 'notice.createdAt'])
    .select(['notice.readAt', 'notice.push', 'actor.id as actorId', 'actor.name', 'actor.avatar'])
    .where('notice.dealerId', '=', dealerId)
    .where(`notice.${by}`, '=', true)
  if (before !== undefined) query = query.where('notice.id', '<', before)
  const rows = await query.orderBy('notice.id', 'desc').limit(limit).execute()
  return rows.map(({ createdAt, readAt, actorId, name, avatar, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    read: readAt !== null,
    actor: actorId === null ? null : { id: actorId, name: name ?? '', avatar },
  }))
}

export async function countUnread(db: Db, dealerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dealerId', '=', dealerId)
    .where('inApp', '=', true)
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Marks the notifications as read, or all of the dealer's notifications without `ids`. Returns how many were unread. */
export async function updateRead(tx: Tx, dealerId: string, ids: string[] | undefined): Promise<number> {
  let query = tx
    .updateTable('notifications')
    .set({ readAt: sql<Date>`clock_timestamp()` })
    .where('dealerId', '=', dealerId)
    .where('inApp', '=', true)
    .where('readAt', 'is', null)
  if (ids !== undefined) query = query.where('id', 'in', ids)
  const result = await query.executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Assigns due, unread notices to this job's email, so that no other email includes them. */
export async function claimDueMail(
  tx: Tx,
  dealerId: string,
  { at, mailJob }: { at: Date; mailJob: string },
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ mailedAt: sql<Date>`clock_timestamp()`, mailJob })
    .where('dealerId', '=', dealerId)
    .where('mailDueAt', '<=', at)
    .where('mailedAt', 'is', null)
    .where('readAt', 'is', null)
    .execute()
}

export async function listClaimedMail(tx: Tx, dealerId: string, mailJob: string) {
  return tx
    .selectFrom('notifications')
    .select(['id', 'kind', 'title', 'body', 'path'])
    .where('dealerId', '=', dealerId)
    .where('mailJob', '=', mailJob)
    .where('readAt', 'is', null)
    .orderBy('id')
    .execute()
}

export async function findNextMail(tx: Tx, dealerId: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('notifications')
    .select('mailDueAt')
    .where('dealerId', '=', dealerId)
    .where('mailDueAt', 'is not', null)
    .where('mailedAt', 'is', null)
    .where('readAt', 'is', null)
    .orderBy('mailDueAt')
    .limit(1)
    .executeTakeFirst()
  return row?.mailDueAt ?? undefined
}

/** Removes older unread digests of unread messages from the list and from emails. Call this before inserting a new digest. */
export async function retireOlderDigests(tx: Tx, dealerId: string, newKey: string): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ inApp: false, readAt: sql<Date>`clock_timestamp()` })
    .where('dealerId', '=', dealerId)
    .where('kind', '=', 'messages' satisfies NotificationKind)
    .where('readAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as told')
            .select('told.id')
            .where('told.dealerId', '=', dealerId)
            .where('told.dedupeKey', '=', newKey),
        ),
      ),
    )
    .execute()
}

export async function removeNotifications(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('notifications').where('dealerId', '=', dealerId).execute()
}

export async function renameActor(tx: Tx, actorId: string, name: string, becomes: string): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ title: sql<string>`left(replace(title, ${name}, ${becomes}), 300)`, body: '' })
    .where('actorId', '=', actorId)
    .execute()
}

export async function removeOldNotifications(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('notifications').select('id').where('createdAt', '<', before).limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('notifications').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

export const commentKey = (commentId: string): string => `comment:${commentId}`

/** Updates the quote in the notice of an edited comment. Without `body`, removes the notice from the list, pushes and emails. */
export async function updateCommentNotice(tx: Tx, commentId: string, body: string | undefined) {
  const gone = { body: '', inApp: false, push: false, readAt: sql<Date>`coalesce(read_at, clock_timestamp())` }
  return tx
    .updateTable('notifications')
    .set(body === undefined ? gone : { body })
    .where('dealerId', '=', (eb) =>
      eb
        .selectFrom('comments')
        .innerJoin('posts', 'posts.id', 'comments.postId')
        .select('posts.dealerId')
        .where('comments.id', '=', commentId),
    )
    .where('dedupeKey', '=', commentKey(commentId))
    .returning(['id', 'dealerId'])
    .executeTakeFirst()
}

/**
 * Returns comments since `commentId` about which the seller has not been notified, oldest first. `after` is the last comment of the
 * previous batch. Locks the comments, so that a concurrent edit or deletion finds the new notification.
 */
export async function lockUnnotifiedComments(tx: Tx, commentId: string, after: string | undefined, limit: number) {
  const { rows } = await sql<{
    id: string
    content: string
    dealerId: string
    name: string
    postId: string
    title: string
    sellerId: string
  }>`
    select c.id, c.content, c.dealer_id, author.name, posts.id as post_id, posts.title, posts.dealer_id as seller_id
    from comments first
    join posts on posts.id = first.post_id and posts.deleted_at is null
    left join lateral (
      select substr(n.dedupe_key, length(${commentKey('')}) + 1)::uuid as id
      from notifications n
      where n.dealer_id = posts.dealer_id and n.kind = 'comment' and n.path = '/post/' || posts.id
        and starts_with(n.dedupe_key, ${commentKey('')})
      order by n.id desc limit 1
    ) told on ${after === undefined}::boolean
    join comments c on c.post_id = posts.id and c.id >= first.id and c.hidden_at is null and c.deleted_at is null
      and (told.id is null or c.id > told.id) and (${after ?? null}::uuid is null or c.id > ${after ?? null}::uuid)
    join dealers author on author.id = c.dealer_id
    where first.id = ${commentId}
    order by c.id
    limit ${limit}
    for share of c`.execute(tx)
  return rows
}

/** Finds a dealer's request for more information about a post. Undefined if the dealer has withdrawn it or the post is deleted. */
export async function findInfoNotice(db: Db, postId: string, dealerId: string) {
  return db
    .selectFrom('reactions')
    .innerJoin('posts', 'posts.id', 'reactions.postId')
    .innerJoin('dealers', 'dealers.id', 'reactions.dealerId')
    .select(['posts.title', 'posts.dealerId as sellerId', 'dealers.name', 'dealers.dealershipName'])
    .where('reactions.postId', '=', postId)
    .where('reactions.dealerId', '=', dealerId)
    .where('reactions.kind', '=', 'info')
    .where('posts.deletedAt', 'is', null)
    .executeTakeFirst()
}

export const messagesKey = (latest: string): string => `messages:${latest}`

/** Lists dealers with unread messages in unmuted chats that were quiet for 10 minutes to a day, if one is newer than the last digest. */
export async function listUnreadMessages(db: Db) {
  const { rows } = await sql<{ dealerId: string; chats: number; unread: number; latest: string }>`
    select m.dealer_id, count(*)::int as chats, sum(unseen.count)::int as unread,
           max(unseen.latest)::text as latest
    from chats c join chat_members m on m.chat_id = c.id
    cross join lateral (
      select count(*), max(messages.created_at) as latest from messages
      where messages.chat_id = c.id and messages.seq > m.read_seq and messages.sender_id <> m.dealer_id
    ) unseen
    where c.last_activity between now() - interval '1 day' and now() - interval '10 minutes'
      and unseen.count > 0 and m.muted_at is null and m.blocked_at is null
    group by m.dealer_id
    having max(unseen.latest) > coalesce((
      select substr(n.dedupe_key, length(${messagesKey('')}) + 1)::timestamptz from notifications n
      where n.dealer_id = m.dealer_id and n.kind = 'messages' and starts_with(n.dedupe_key, ${messagesKey('')})
      order by n.id desc limit 1), '-infinity')`.execute(db)
  return rows
}

export async function insertPastNotifications(tx: Tx, rows: Insertable<Notifications>[]): Promise<void> {
  await tx.insertInto('notifications').values(rows).execute()
}

export async function findRecipient(db: Db, dealerId: string) {
  return db
    .selectFrom('dealers')
    .select(['email', 'settings', 'suspendedAt', 'suspendedUntil'])
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}
