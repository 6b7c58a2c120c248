import { sql, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { AdminUser, AdminUsersQuery } from '#shared/schemas/admin.ts'
import { searchTotalMax } from '#shared/limits.ts'
import type { DB, Dealers } from '#server/db/schema.ts'
import { admissionOf } from '#server/features/dealers/dealers.rows.ts'
import { toOwnLicense } from '#server/features/dealers/licenses.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended, isSuspendedAt } from '#server/platform/database/suspension.ts'
import { firstMax, containsText, type Scan } from '#server/platform/database/text-search.ts'

/** A dealer is online for this long after a request. Must exceed two minutes, the longest pause between a signed-in client's requests. */
const onlineMinutes = 3

/** Must equal the expression of the trigram index. */
const searched = sql<string>`(dealers.name || ' ' || dealers.dealership_name || ' ' || dealers.email::text)`

/** The person was invited, but has neither set a password nor signed in with Google. */
const isInvited = sql<boolean>`
  (dealers.invited_until is not null and dealers.password_hash is null and dealers.email_verified_at is null)`

type Accounts<O> = SelectQueryBuilder<DB, 'dealers', O>

/** Filters accounts by state. Uses only conditions that PostgreSQL can check while it scans the index in sort order. */
function inState<O>(query: Accounts<O>, { state }: AdminUsersQuery): Accounts<O> {
  const accounts = query.where('dealers.deletedAt', 'is', null)
  if (state === 'suspended') return accounts.where(isSuspended('dealers'))
  if (state === 'active')
    return accounts
      .where((eb) => eb.not(isSuspended('dealers')))
      .where('waitingSince', 'is', null)
      .where((eb) => eb.not(isInvited))
  if (state === 'unverified')
    return accounts
      .where('licenseSubmittedAt', 'is not', null)
      .where('licenseVerifiedAt', 'is', null)
      .where('licenseRejectedAt', 'is', null)
  if (state === 'waiting') return accounts.where('waitingSince', 'is not', null).where('declinedAt', 'is', null)
  if (state === 'declined') return accounts.where('waitingSince', 'is not', null).where('declinedAt', 'is not', null)
  return accounts
}

/** Finds accounts by text. The CTE has no limit, because PostgreSQL would otherwise not use the search index. */
const found = (db: Db, query: AdminUsersQuery, search: string) =>
  db
    .with(
      (cte) => cte('found').materialized(),
      () => inState(db.selectFrom('dealers'), query).where(containsText(searched, search)).select('dealers.id'),
    )
    .selectFrom('found')
    .select('found.id')

const isOnline = sql<boolean>`exists (
  select from sessions where sessions.dealer_id = dealers.id and sessions.last_seen_at > now() - ${onlineMinutes} * interval '1 minute')`

const apiAccess = sql<boolean>`exists (
  select from entitlement_grants granted where granted.dealer_id = dealers.id and granted.entitlement = 'apiAccess')`

const isActivated = ({ passwordHash, emailVerifiedAt }: Selectable<Dealers>): boolean =>
  passwordHash !== null || emailVerifiedAt !== null

const admissionFields = (row: Selectable<Dealers>) => ({
  emailVerified: row.emailVerifiedAt !== null,
  profileComplete: row.profileCompletedAt !== null,
  admission: admissionOf(row),
  waitingSince: row.waitingSince?.toISOString() ?? null,
  declinedReason: row.declinedReason,
  invitedUntil: isActivated(row) ? null : (row.invitedUntil?.toISOString() ?? null),
})

const toTimestamp = (date: Date | null): string | null => date?.toISOString() ?? null

function suspensionOf(row: Selectable<Dealers>) {
  const { suspendedAt, suspendedUntil, suspendedReason } = row
  if (!isSuspendedAt(row, new Date())) return { suspendedAt: null, suspendedUntil: null, suspendedReason: null }
  return { suspendedAt: toTimestamp(suspendedAt), suspendedUntil: toTimestamp(suspendedUntil), suspendedReason }
}

function toAdminUser(row: Selectable<Dealers> & { isOnline: boolean; apiAccess: boolean }): AdminUser {
  const { id, name, dealershipName, email, phone, city, state, avatar } = row
  return {
    id,
    name,
    dealershipName,
    dealershipType: row.dealershipType,
    email,
    phone,
    city,
    state,
    avatar,
    isOnline: row.isOnline,
    role: row.role,
    license: { ...toOwnLicense(row), submittedAt: toTimestamp(row.licenseSubmittedAt) },
    auctionAccessNumber: row.auctionAccessNumber,
    dealership5MilNumber: row.dealership5MilNumber,
    apiAccess: row.apiAccess,
    ...suspensionOf(row),
    biddingStoppedAt: toTimestamp(row.biddingStoppedAt),
    ...admissionFields(row),
    createdAt: row.createdAt.toISOString(),
  }
}

/** Returns up to `limit` + 1 accounts that are older than the account `before`, newest first. */
export async function listUsers(
  db: Db,
  query: AdminUsersQuery & { scan?: Scan },
  limit: number,
  before: string | undefined,
): Promise<AdminUser[]> {
  const search = query.q?.trim() ?? ''
  let accounts = inState(db.selectFrom('dealers'), query).selectAll('dealers')
  if (before) accounts = accounts.where('dealers.id', '<', before)
  if (query.scan === 'first') accounts = accounts.orderBy('dealers.id', 'desc').limit(firstMax)
  if (query.scan === 'hits') {
    const hits = found(db, query, search)
    accounts = accounts.where(
      'dealers.id',
      'in',
      (before ? hits.where('found.id', '<', before) : hits).orderBy('found.id', 'desc').limit(limit + 1),
    )
  }
  let rows = db
    .selectFrom(accounts.as('dealers'))
    .selectAll()
    .select([isOnline.as('isOnline'), apiAccess.as('apiAccess')])
  if (query.scan !== 'hits' && search !== '') rows = rows.where(containsText(searched, search))
  const users = await rows
    .orderBy('dealers.id', 'desc')
    .limit(limit + 1)
    .execute()
  return users.map(toAdminUser)
}

/** Counts at most `searchTotalMax` + 1 hits of a search. Active accounts are all minus the inactive ones, which are few and indexed. */
export async function countUsers(db: Db, query: AdminUsersQuery): Promise<number> {
  const search = query.q?.trim() ?? ''
  if (query.state === 'active' && search === '') return (await countUsers(db, {})) - (await countInactive(db))
  const counted =
    search === ''
      ? inState(db.selectFrom('dealers'), query).select('dealers.id')
      : found(db, query, search).limit(searchTotalMax + 1)
  const row = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

async function countInactive(db: Db): Promise<number> {
  const accounts = () => db.selectFrom('dealers').select('id').where('deletedAt', 'is', null)
  const inactive = accounts()
    .where(isSuspended('dealers'))
    .union(accounts().where('waitingSince', 'is not', null))
    .union(accounts().where(isInvited))
  const row = await db
    .selectFrom(inactive.as('inactive'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findUser(db: Db, id: string): Promise<AdminUser | undefined> {
  const row = await db
    .selectFrom('dealers')
    .selectAll()
    .select([isOnline.as('isOnline'), apiAccess.as('apiAccess')])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row && toAdminUser(row)
}

export async function findAccount(
  db: Db,
  id: string,
): Promise<{ user: AdminUser; deletedAt: Date | null; invited: boolean; secondFactor: boolean } | undefined> {
  const row = await db
    .selectFrom('dealers')
    .selectAll()
    .select([isOnline.as('isOnline'), apiAccess.as('apiAccess')])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const user = toAdminUser(row)
  return {
    user,
    deletedAt: row.deletedAt,
    invited: user.invitedUntil !== null,
    secondFactor: row.secondFactorAt !== null,
  }
}

const invitedMax = 500

export async function listInvited(db: Db): Promise<AdminUser[]> {
  const rows = await db
    .selectFrom('dealers')
    .selectAll()
    .select([isOnline.as('isOnline'), apiAccess.as('apiAccess')])
    .where(isInvited)
    .where('deletedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(invitedMax)
    .execute()
  return rows.map(toAdminUser)
}

export async function lockUser(tx: Tx, id: string): Promise<AdminUser | undefined> {
  const row = await tx
    .selectFrom('dealers')
    .selectAll()
    .select(apiAccess.as('apiAccess'))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && toAdminUser({ ...row, isOnline: false })
}

/** Locks all active admins in order, so that two admins cannot remove each other at once. */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('dealers')
    .select('id')
    .where('role', '=', 'admin')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isInvited))
    .where((eb) => eb.not(isSuspended('dealers')))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => row.id)
}
