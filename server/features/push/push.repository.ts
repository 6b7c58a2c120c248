import { sql } from 'kysely'
import { pushesPerDay } from '#shared/limits.ts'
import type { NotificationKind } from '#shared/settings.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { notIdle } from '#server/platform/session/session.repository.ts'
import { cutText } from '#shared/cut-text.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

const failingDays = 7
/** After this many days without a failure, the next failure restarts `failed_since`. */
const faultPauseDays = 3
const errorMax = 200

export async function findKeys(db: Db) {
  return db.selectFrom('pushKeys').select(['publicKey', 'privateKey']).executeTakeFirst()
}

/** Stores the first key pair, or replaces the pair with the public key `replaced`. Does nothing if another process was faster. */
export async function storeKeys(
  db: Db,
  keys: { publicKey: Buffer; privateKey: Buffer },
  replaced: Buffer | undefined,
): Promise<void> {
  await db
    .insertInto('pushKeys')
    .values(keys)
    .onConflict((conflict) =>
      conflict
        .column('onlyRow')
        .doUpdateSet({ ...keys, createdAt: sql<Date>`now()` })
        .where('pushKeys.publicKey', '=', replaced ?? Buffer.alloc(0)),
    )
    .execute()
}

export async function listDevices(db: Db, dealerId: string) {
  return db
    .selectFrom('pushDevices')
    .select(['id', 'label', 'hideContent', 'sessionHash', 'createdAt', 'lastOkAt', 'lastFailedAt', 'lastError'])
    .where('dealerId', '=', dealerId)
    .orderBy('id')
    .execute()
}

/** Locks the dealer's row, so that concurrent registrations count devices one after the other. */
export async function lockDevicesOf(tx: Tx, dealerId: string): Promise<void> {
  await tx.selectFrom('dealers').select('id').where('id', '=', dealerId).forNoKeyUpdate().execute()
}

export async function findByEndpoint(tx: Tx, endpoint: string) {
  return tx
    .selectFrom('pushDevices')
    .select(['id', 'dealerId', 'p256dh', 'auth'])
    .where('endpoint', '=', endpoint)
    .forUpdate()
    .executeTakeFirst()
}

export interface NewDevice {
  dealerId: string
  sessionHash: Buffer
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  label: string
}

const noFailure = { failedSince: null, lastFailedAt: null, lastError: null } as const

/** If the endpoint is already registered, moves its device to this session and dealer. */
export async function upsertDevice(tx: Tx, device: NewDevice): Promise<string> {
  const { dealerId, sessionHash, label } = device
  const moved = { dealerId, sessionHash, label, ...noFailure }
  const row = await tx
    .insertInto('pushDevices')
    .values(device)
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet((eb) => ({
        ...moved,
        hideContent: eb
          .case()
          .when('pushDevices.dealerId', '=', dealerId)
          .then(eb.ref('pushDevices.hideContent'))
          .else(false)
          .end(),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Removes this session's other devices, and the device with the endpoint `replaces`. Returns whether one of them hid its content. */
export async function removeReplaced(
  tx: Tx,
  { dealerId, sessionHash, endpoint }: Pick<NewDevice, 'dealerId' | 'sessionHash' | 'endpoint'>,
  replaces: string | undefined,
): Promise<boolean> {
  const kept = await tx
    .deleteFrom('pushDevices')
    .where('dealerId', '=', dealerId)
    .where('endpoint', '!=', endpoint)
    .where(({ eb, or }) => or([eb('sessionHash', '=', sessionHash), eb('endpoint', '=', replaces ?? '')]))
    .returning('hideContent')
    .execute()
  return kept.some(({ hideContent }) => hideContent)
}

export async function countDevices(tx: Tx, dealerId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('pushDevices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dealerId', '=', dealerId)
    .executeTakeFirstOrThrow()
  return count
}

export async function updateDevice(
  db: Db,
  dealerId: string,
  id: string,
  change: { label?: string; hideContent?: boolean },
): Promise<boolean> {
  const result = await db
    .updateTable('pushDevices')
    .set(change)
    .where('id', '=', id)
    .where('dealerId', '=', dealerId)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function removeDevice(db: Db, id: string, dealerId?: string): Promise<string | undefined> {
  let query = db.deleteFrom('pushDevices').where('id', '=', id)
  if (dealerId !== undefined) query = query.where('dealerId', '=', dealerId)
  return (await query.returning('dealerId').executeTakeFirst())?.dealerId
}

/** Selects devices with an open session. Checks the expiry, because expired sessions are removed only once a day. */
const openDevices = (db: Db) =>
  db
    .selectFrom('pushDevices')
    .innerJoin('sessions', 'sessions.hash', 'pushDevices.sessionHash')
    .innerJoin('dealers', 'dealers.id', 'pushDevices.dealerId')
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .where(notIdle)
    .where('dealers.deletedAt', 'is', null)
    .where(({ not }) => not(isSuspended('dealers')))

export async function listOpenDevices(db: Db, dealerId: string) {
  return openDevices(db)
    .select(['pushDevices.id', 'pushDevices.endpoint'])
    .where('pushDevices.dealerId', '=', dealerId)
    .execute()
}

export async function hasDevice(db: Db, dealerId: string): Promise<boolean> {
  return (await listOpenDevices(db, dealerId)).length > 0
}

export async function findOpenDevice(db: Db, id: string) {
  return openDevices(db)
    .select([
      'pushDevices.id',
      'pushDevices.dealerId',
      'pushDevices.endpoint',
      'pushDevices.p256dh',
      'pushDevices.auth',
      'pushDevices.hideContent',
    ])
    .where('pushDevices.id', '=', id)
    .executeTakeFirst()
}
export type OpenDevice = NonNullable<Awaited<ReturnType<typeof findOpenDevice>>>

/** Counts a push toward the device's daily limit. Returns false at the limit, unless `isBinding` is set. */
export async function countPush(db: Db, id: string, isBinding: boolean): Promise<boolean> {
  const today = sql<string>`(now() at time zone 'utc')::date`
  const result = await db
    .updateTable('pushDevices')
    .set({ day: today, dayCount: sql<number>`case when day = ${today} then day_count + 1 else 1 end` })
    .where('id', '=', id)
    .where(sql<boolean>`(${isBinding} or day is distinct from ${today} or day_count < ${pushesPerDay})`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function markDelivered(db: Db, id: string): Promise<void> {
  await db
    .updateTable('pushDevices')
    .set({ lastOkAt: sql<Date>`now()`, ...noFailure })
    .where('id', '=', id)
    .execute()
}

/** Records a failure. Removes a device that has failed for `failingDays`. Returns the dealer's id if the list of devices changed. */
export async function markFailed(db: Db, id: string, reason: string): Promise<string | undefined> {
  const { rows } = await sql<{ dealerId: string; isFirst: boolean }>`
    update push_devices set
      failed_since = case when last_failed_at > now() - ${faultPauseDays} * interval '1 day' then failed_since else now() end,
      last_failed_at = now(), last_error = ${cutText(reason, errorMax)}
    where id = ${id} returning dealer_id, old.last_failed_at is null as is_first`.execute(db)
  const { numDeletedRows } = await db
    .deleteFrom('pushDevices')
    .where('id', '=', id)
    .where('failedSince', '<', sql<Date>`now() - ${failingDays} * interval '1 day'`)
    .executeTakeFirst()
  return rows[0]?.isFirst || numDeletedRows > 0n ? rows[0]?.dealerId : undefined
}

const isActorBlocked = sql<boolean>`exists (
  select from chats join chat_members mine on mine.chat_id = chats.id and mine.dealer_id = n.dealer_id
  where chats.low_dealer_id = least(n.dealer_id, n.actor_id) and chats.high_dealer_id = greatest(n.dealer_id, n.actor_id)
    and mine.blocked_at is not null)`

/**
 * `isBlocked`: the recipient has blocked the dealer who caused the notice. `isOvertaken`: the recipient of an outbid notice leads again, or
 * the auction is over. `endsAt`: end of the auction of an outbid notice.
 */
export async function findNotice(db: Db, noticeId: string) {
  const { rows } = await sql<{
    id: string
    dealerId: string
    kind: NotificationKind
    title: string
    body: string
    path: string
    isRead: boolean
    push: boolean
    settings: unknown
    isBlocked: boolean
    isOvertaken: boolean
    endsAt: Date | null
  }>`
    select n.id, n.dealer_id, n.kind, n.title, n.body, n.path, n.read_at is not null as is_read, n.push, dealers.settings,
      ${isActorBlocked} as is_blocked,
      coalesce(a.leader_id = n.dealer_id or a.status <> 'open', false) as is_overtaken, a.ends_at
    from notifications n
    join dealers on dealers.id = n.dealer_id
    left join auctions a on a.post_id = case
      when n.kind = 'outbid' and starts_with(n.dedupe_key, 'outbid:') then split_part(n.dedupe_key, ':', 2)::uuid end
    where n.id = ${noticeId}`.execute(db)
  return rows[0]
}

/** Returns a member's unread messages in a chat. Undefined if there are none, or if the chat is muted or blocked. */
export async function findUnreadChat(db: Db, chatId: string, dealerId: string) {
  const { rows } = await sql<{ unread: number; name: string; text: string; settings: unknown }>`
    select unseen.count::int as unread, other.name, newest.text, me.settings
    from chat_members mine
    join dealers me on me.id = mine.dealer_id
    join chat_members theirs on theirs.chat_id = mine.chat_id and theirs.dealer_id <> mine.dealer_id
    join dealers other on other.id = theirs.dealer_id
    cross join lateral (
      select count(*) from messages m
      where m.chat_id = mine.chat_id and m.seq > mine.read_seq and m.sender_id <> mine.dealer_id and m.hidden_at is null
    ) unseen
    join lateral (
      select coalesce(nullif(m.content, ''), m.attachment_name, 'Attachment') as text from messages m
      where m.chat_id = mine.chat_id and m.seq > mine.read_seq and m.sender_id <> mine.dealer_id and m.hidden_at is null
      order by m.seq desc limit 1
    ) newest on true
    where mine.chat_id = ${chatId} and mine.dealer_id = ${dealerId}
      and mine.muted_at is null and mine.blocked_at is null and theirs.blocked_at is null`.execute(db)
  return rows[0]
}

/** Adds unread messages and unread notices, for the badge. The top bar shows the two numbers separately. */
export async function countUnreadOf(db: Db, dealerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*) from chat_members mine join messages m
        on m.chat_id = mine.chat_id and m.seq > mine.read_seq and m.sender_id <> mine.dealer_id
      where mine.dealer_id = ${dealerId}
    ) + (
      select count(*) from notifications n where n.dealer_id = ${dealerId} and n.in_app and n.read_at is null
    ) as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
