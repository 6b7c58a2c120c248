import { sql, type Selectable, type Updateable } from 'kysely'
import type { AdminUser, AdminUsersQuery } from '#shared/schemas/admin.ts'
import { searchTotalMax } from '#shared/limits.ts'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import type { DealershipType } from '#shared/places.ts'
import type { Dealers } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import { containing } from '#server/platform/like.ts'
import { isSuspended, isSuspendedAt } from '#server/platform/suspension.ts'

/** Seen this recently counts as online: a signed-in client asks at least every two minutes. */
const onlineMinutes = 3

/** The three searched fields, as the trigram index has them. */
const searched = sql<string>`(dealers.name || ' ' || dealers.dealership_name || ' ' || dealers.email::text)`

function matching(db: Db, { q, state }: AdminUsersQuery) {
  let query = db.selectFrom('dealers').where('dealers.deletedAt', 'is', null)
  if (q?.trim()) query = query.where(searched, 'ilike', containing(q.trim()))
  if (state === 'suspended') query = query.where(isSuspended('dealers'))
  if (state === 'active') query = query.where((eb) => eb.not(isSuspended('dealers')))
  if (state === 'unverified')
    query = query.where('licenseNumber', 'is not', null).where('licenseVerifiedAt', 'is', null)
  return query
}

const isOnline = sql<boolean>`exists (
  select from sessions where sessions.dealer_id = dealers.id and sessions.last_seen_at > now() - ${onlineMinutes} * interval '1 minute')`

function toAdminUser(row: Selectable<Dealers> & { isOnline: boolean }): AdminUser {
  const { id, name, dealershipName, email, phone, city, state, avatar, licenseNumber, suspendedReason } = row
  const open = isSuspendedAt(row, new Date())
  return {
    id,
    name,
    dealershipName,
    dealershipType: row.dealershipType as DealershipType,
    email,
    phone,
    city,
    state,
    avatar,
    isOnline: row.isOnline,
    role: row.role as DealerRole,
    licenseNumber,
    licenseVerifiedAt: row.licenseVerifiedAt?.toISOString() ?? null,
    suspendedAt: open ? (row.suspendedAt?.toISOString() ?? null) : null,
    suspendedUntil: open ? (row.suspendedUntil?.toISOString() ?? null) : null,
    suspendedReason: open ? suspendedReason : null,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Newest first, from the account after `before`; one more than `limit`. */
export async function listUsers(
  db: Db,
  query: AdminUsersQuery,
  limit: number,
  before: string | undefined,
): Promise<AdminUser[]> {
  let rows = matching(db, query).selectAll('dealers').select(isOnline.as('isOnline'))
  if (before) rows = rows.where('dealers.id', '<', before)
  const found = await rows
    .orderBy('dealers.id', 'desc')
    .limit(limit + 1)
    .execute()
  return found.map(toAdminUser)
}

/** Active is everybody but the suspended, who are few and have an index: nobody's row is read to count the rest. */
export async function countUsers(db: Db, query: AdminUsersQuery): Promise<number> {
  if (query.state === 'active' && !query.q?.trim())
    return (await countUsers(db, {})) - (await countUsers(db, { state: 'suspended' }))
  const found = matching(db, query)
  // What is searched for has to be read, by two letters even everybody: nobody pages through more than that.
  const counted = query.q?.trim() ? found.select('dealers.id').limit(searchTotalMax + 1) : found.select('dealers.id')
  const row = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findUser(db: Db, id: string): Promise<AdminUser | undefined> {
  const row = await db
    .selectFrom('dealers')
    .selectAll()
    .select(isOnline.as('isOnline'))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row && toAdminUser(row)
}

/** The account, locked until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<AdminUser | undefined> {
  const row = await tx
    .selectFrom('dealers')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && toAdminUser({ ...row, isOnline: false })
}

/** Ids of all who can still act as admin, locked in one order so that two admins cannot remove each other at once. */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('dealers')
    .select('id')
    .where('role', '=', 'admin')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => row.id)
}

export async function updateUser(tx: Tx, id: string, change: Updateable<Dealers>): Promise<void> {
  await tx
    .updateTable('dealers')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
