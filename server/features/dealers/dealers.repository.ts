import { sql, type Insertable, type InsertObject, type UpdateObject } from 'kysely'
import type { DB, Dealers } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { zone } from './time-zone-sql.ts'

export async function findDealer(db: Db, dealerId: string) {
  return db
    .selectFrom('dealers')
    .selectAll()
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Returns the dealer's time zone, such as `America/Chicago`. */
export async function findTimeZone(db: Db, dealerId: string): Promise<string> {
  const row = await db
    .selectFrom('dealers as d')
    .select(zone.as('timeZone'))
    .where('d.id', '=', dealerId)
    .executeTakeFirstOrThrow()
  return row.timeZone
}

/** Locks the dealer until the transaction ends, so that changes to the account run one after the other. */
export async function lockDealer(tx: Tx, dealerId: string) {
  return tx
    .selectFrom('dealers')
    .selectAll()
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Blocks a deletion of the account until the transaction ends. Returns false if the account is deleted. */
export async function preventDeletion(tx: Tx, dealerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('dealers')
    .select('id')
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function findDealerByEmail(db: Db, email: string) {
  return db
    .selectFrom('dealers')
    .selectAll()
    .where('email', '=', email)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

export async function listStaffWithoutFactor(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('dealers')
    .select('id')
    .where('role', '!=', 'dealer')
    .where('secondFactorAt', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function listStaff(db: Db, ...roles: ('admin' | 'ops')[]): Promise<string[]> {
  const rows = await db
    .selectFrom('dealers')
    .select('id')
    .where('role', 'in', roles)
    .where('deletedAt', 'is', null)
    .where(({ not }) => not(isSuspended('dealers')))
    .execute()
  return rows.map(({ id }) => id)
}

type DealerChange = UpdateObject<DB, 'dealers'>

export type NewDealer = Pick<
  Insertable<Dealers>,
  | 'email'
  | 'passwordHash'
  | 'name'
  | 'dealershipName'
  | 'dealershipType'
  | 'role'
  | 'phone'
  | 'address'
  | 'city'
  | 'state'
  | 'zip'
  | 'demo'
  | 'invitedUntil'
> & {
  emailVerified?: boolean
  profileCompleted?: boolean
  waiting?: boolean
}

export const placeOf = (zip: unknown) => sql<number | null>`place_of(${zip}::text)`

export async function listShowing(db: Db, dealerIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('dealers')
    .select('id')
    .where('id', 'in', dealerIds)
    .where(sql<boolean>`coalesce((settings ->> 'onlineStatus')::boolean, true)`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Updates the places of all dealers. Call this after the list of places has changed. */
export async function refreshPlaces(db: Db): Promise<void> {
  await sql`
    update dealers set place_id = place_of(zip) where zip is not null and place_id is distinct from place_of(zip)`.execute(
    db,
  )
}

const toInsert = ({
  emailVerified = false,
  profileCompleted = false,
  waiting = false,
  ...dealer
}: NewDealer): InsertObject<DB, 'dealers'> => ({
  ...dealer,
  ...(dealer.zip !== undefined && { placeId: placeOf(dealer.zip) }),
  ...(emailVerified && { emailVerifiedAt: sql<Date>`now()` }),
  ...(profileCompleted && { profileCompletedAt: sql<Date>`now()` }),
  ...(waiting && { waitingSince: sql<Date>`now()` }),
})

/** Violates the constraint `dealers_email_key` if the address is taken. */
export async function insertDealer(db: Db, dealer: NewDealer) {
  return db.insertInto('dealers').values(toInsert(dealer)).returningAll().executeTakeFirstOrThrow()
}

export async function insertMissingDealers(tx: Tx, dealers: NewDealer[]): Promise<void> {
  await tx
    .insertInto('dealers')
    .values(dealers.map(toInsert))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
}

/** Returns undefined if the dealer is deleted. Violates the constraint `dealers_email_key` if the address is taken. */
export async function updateDealer(tx: Tx, dealerId: string, change: DealerChange) {
  return tx
    .updateTable('dealers')
    .set({ ...change, ...(change.zip !== undefined && { placeId: placeOf(change.zip) }), updatedAt: sql<Date>`now()` })
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** `verified` is true if the owner has opened a link that was emailed to this address. */
export async function updateEmail(tx: Tx, dealerId: string, email: string, verified: boolean): Promise<void> {
  await updateDealer(tx, dealerId, { email, emailVerifiedAt: verified ? sql<Date>`now()` : null })
}

/** Marks the address as verified. Returns false if `email` is no longer the account's address. */
export async function updateEmailVerified(tx: Tx, dealerId: string, email: string): Promise<boolean> {
  const result = await tx
    .updateTable('dealers')
    .set({ emailVerifiedAt: sql<Date>`coalesce(email_verified_at, now())` })
    .where('id', '=', dealerId)
    .where('email', '=', email)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function completeProfile(tx: Tx, dealerId: string, profile: DealerChange) {
  return updateDealer(tx, dealerId, {
    ...profile,
    profileCompletedAt: sql<Date>`coalesce(profile_completed_at, now())`,
  })
}

const personal = [
  'passwordHash',
  'secondFactorAt',
  'avatar',
  'phone',
  'website',
  'description',
  'address',
  'zip',
  'licenseNumber',
  'licenseVerifiedAt',
  'licenseState',
  'licenseExpiresOn',
  'licenseScan',
  'licenseSubmittedAt',
  'licenseRejectedAt',
  'licenseRejectedReason',
  'waitingSince',
  'declinedAt',
  'declinedReason',
  'invitedUntil',
  'auctionAccessNumber',
  'dealership5MilNumber',
  'suspendedReason',
] as const

export const deletedName = 'Deleted dealer'

/** Removes personal data but keeps the row, because other dealers' deals, comments and messages refer to it. */
export async function anonymize(tx: Tx, dealerId: string): Promise<void> {
  await updateDealer(tx, dealerId, {
    ...Object.fromEntries(personal.map((column) => [column, null])),
    name: deletedName,
    dealershipName: '',
    email: `deleted-${dealerId}@lanewire.invalid`,
    city: '',
    state: '',
    role: 'dealer',
    settings: '{}',
    connectionCount: 0,
    deletedAt: sql<Date>`now()`,
  })
}

/** The server refuses to start on demo accounts without DEMO, because their passwords are public. */
export async function hasDemoAccounts(db: Db): Promise<boolean> {
  return (
    (await db.selectFrom('dealers').select('id').where('demo', '=', true).limit(1).executeTakeFirst()) !== undefined
  )
}

export async function findSettings(db: Db, dealerId: string): Promise<unknown> {
  const row = await db.selectFrom('dealers').select('settings').where('id', '=', dealerId).executeTakeFirst()
  return row?.settings
}

/** Replaces the top-level settings in `patch`. Within `notifications` and `lane`, replaces each setting separately. */
export async function updateSettings(
  db: Db,
  dealerId: string,
  patch: Record<string, unknown>,
  parts: { notifications: object; lane: object },
): Promise<unknown> {
  const row = await db
    .updateTable('dealers')
    .set({
      settings: sql`settings || ${JSON.stringify(patch)}::jsonb || jsonb_build_object(
        'notifications', coalesce(settings -> 'notifications', '{}'::jsonb) || ${JSON.stringify(parts.notifications)}::jsonb,
        'lane', coalesce(settings -> 'lane', '{}'::jsonb) || ${JSON.stringify(parts.lane)}::jsonb)`,
    })
    .where('id', '=', dealerId)
    .returning('settings')
    .executeTakeFirstOrThrow()
  return row.settings
}

export async function countCompletedDeal(tx: Tx, dealerIds: string[]): Promise<void> {
  await sql`update dealers set deals_completed = deals_completed + 1 where id = any(${dealerIds}::uuid[])`.execute(tx)
}

/** Recomputes the average of all reviews, so that the rating cannot drift. Locks the dealer's row first. */
export async function refreshRating(tx: Tx, dealerId: string): Promise<void> {
  await sql`select id from dealers where id = ${dealerId} for no key update`.execute(tx)
  await sql`
    update dealers set rating = mean.rating, rating_count = mean.count
    from (select round(avg(rating), 2) as rating, count(*)::int as count from reviews where subject_id = ${dealerId}) mean
    where dealers.id = ${dealerId}`.execute(tx)
}
