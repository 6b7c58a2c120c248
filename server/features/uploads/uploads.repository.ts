import { sql, type Selectable, type Updateable } from 'kysely'
import type { ObjectKind } from '#shared/schemas/uploads.ts'
import type { Objects } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { objectPath } from './object-keys.ts'

export type ObjectRow = Selectable<Objects>
type Reader = Pick<Actor, 'dealerId' | 'role'>

export async function insertObject(db: Db, object: { id: string; dealerId: string; kind: ObjectKind }): Promise<void> {
  await db.insertInto('objects').values(object).execute()
}

/** Inserts a file that a job downloads from a link. It counts as attached from the start. */
export async function insertLinkedObject(
  tx: Tx,
  { url, ...object }: { id: string; dealerId: string; kind: ObjectKind; url: string },
): Promise<void> {
  await tx
    .insertInto('objects')
    .values({ ...object, attachedAt: sql<Date>`now()` })
    .execute()
  await tx.insertInto('objectSources').values({ objectId: object.id, url }).execute()
}

export async function findSource(db: Db, objectId: string): Promise<string | undefined> {
  const row = await db.selectFrom('objectSources').select('url').where('objectId', '=', objectId).executeTakeFirst()
  return row?.url
}

export async function findObject(db: Db, id: string): Promise<ObjectRow | undefined> {
  return db.selectFrom('objects').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a file if the reader may see it (is-object-visible.sql). */
export async function findVisible(db: Db, id: string, reader: Reader): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('objects')
    .selectAll()
    .where('id', '=', id)
    .where(
      sql<boolean>`is_object_visible(id, dealer_id, ${objectPath(id)}, ${reader.dealerId}, ${reader.role === 'admin'})`,
    )
    .executeTakeFirst()
}

export async function listAudience(db: Db, id: string): Promise<{ postIds: string[]; dealerIds: string[] }> {
  const [posts, members] = await Promise.all([
    db.selectFrom('photos').select('postId').distinct().where('url', '=', objectPath(id)).execute(),
    db
      .selectFrom('messages')
      .innerJoin('chatMembers', 'chatMembers.chatId', 'messages.chatId')
      .select('chatMembers.dealerId')
      .distinct()
      .where('attachmentUrl', '=', objectPath(id))
      .execute(),
  ])
  return { postIds: posts.map(({ postId }) => postId), dealerIds: members.map(({ dealerId }) => dealerId) }
}

/** Updates a file unless it is ready, because a ready file never changes. Returns false if no row was updated. */
export async function updateUnfinished(tx: Tx, id: string, change: Updateable<Objects>): Promise<boolean> {
  const result = await tx
    .updateTable('objects')
    .set(change)
    .where('id', '=', id)
    .where('state', '<>', 'ready')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function findLastAvatar(db: Db, dealerId: string): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('objects')
    .selectAll()
    .where('dealerId', '=', dealerId)
    .where('kind', '=', 'avatar')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes the dealer's avatars that are not ready. Returns their ids. The caller must remove their files. */
export async function removeUnfinishedAvatars(tx: Tx, dealerId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('objects')
    .where('dealerId', '=', dealerId)
    .where('kind', '=', 'avatar')
    .where('state', '<>', 'ready')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks the dealer's pictures as used, and for attachments also PDFs. Returns their ids. */
export async function attachOwnObjects(
  db: Db,
  { dealerId, kind }: { dealerId: string; kind: ObjectKind },
  ids: string[],
): Promise<string[]> {
  const types = kind === 'attachment' ? sql`'^(image/|application/pdf$)'` : sql`'^image/'`
  const rows = await db
    .updateTable('objects')
    .set({ attachedAt: sql<Date>`coalesce(attached_at, now())` })
    .where('id', 'in', ids)
    .where('dealerId', '=', dealerId)
    .where('state', 'in', ['stored', 'ready'])
    .where(sql<boolean>`content_type ~ ${types}`)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks the dealer's objects as unused if nothing shows them anymore. */
export async function releaseOwnObjects(tx: Tx, dealerId: string, ids: string[]): Promise<void> {
  // Lock before checking for uses. A check that waits for the lock would not see a use that another transaction just added.
  const own = await tx
    .selectFrom('objects')
    .select('id')
    .where('id', 'in', ids)
    .where('dealerId', '=', dealerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (own.length === 0) return
  const path = sql`${objectPath('')} || objects.id`
  await tx
    .updateTable('objects')
    .set({ attachedAt: null })
    .where(
      'id',
      'in',
      own.map(({ id }) => id),
    )
    .where(
      sql<boolean>`not exists (select from photos where url = ${path})
        and not exists (select from comments where attachment_object = objects.id)
        and not exists (select from messages where attachment_url = ${path})
        and not exists (select from dealers where avatar = ${path})
        and not exists (select from dealers where license_scan = ${path})`,
    )
    .execute()
}

/** Deletes old objects that nothing uses. Returns their ids. The caller must remove their files. */
export async function removeOrphans(tx: Tx, olderThanMs: number, limit: number): Promise<string[]> {
  const rows = await tx
    .deleteFrom('objects')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('objects')
        .select('id')
        .where('attachedAt', 'is', null)
        .where('createdAt', '<', sql<Date>`now() - ${olderThanMs} * interval '1 millisecond'`)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function removeSourcesOf(tx: Tx, dealerId: string): Promise<void> {
  await tx
    .deleteFrom('objectSources')
    .using('objects')
    .whereRef('objects.id', '=', 'objectSources.objectId')
    .where('objects.dealerId', '=', dealerId)
    .execute()
}

const filesAtOnce = 200

export async function listReadyOf(db: Db, dealerId: string, after: string | undefined) {
  let query = db
    .selectFrom('objects')
    .select(['id', 'contentType', 'widths'])
    .where('dealerId', '=', dealerId)
    .where('state', '=', 'ready')
  if (after !== undefined) query = query.where('id', '>', after)
  return query.orderBy('id').limit(filesAtOnce).execute()
}
