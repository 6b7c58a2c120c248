import { sql } from 'kysely'
import type { ProfilePatch } from '#shared/schemas/dealers.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { placeOf } from './dealers.repository.ts'
import { sharedBy } from './directory.repository.ts'

export async function findProfile(db: Db, dealerId: string) {
  return db
    .selectFrom('dealers')
    .selectAll()
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .executeTakeFirst()
}

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>

/** `days` is the average time from the creation of a deal to its completion. */
export async function findDealStats(db: Db, dealerId: string) {
  const row = await db
    .selectFrom('deals')
    .select([
      sql<number>`count(*)`.as('deals'),
      sql<number>`coalesce(sum(price_cents), 0)::float8`.as('cents'),
      sql<number | null>`round((extract(epoch from avg(completed_at - created_at)) / 86400)::numeric, 1)`.as('days'),
    ])
    .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
    .where('status', '=', 'completed')
    .executeTakeFirstOrThrow()
  return { deals: row.deals, volume: dollarsOf(row.cents), averageDaysToClose: row.days }
}

export async function listMutual(db: Db, dealerId: string, otherId: string, limit: number) {
  return db
    .selectFrom('connections as theirs')
    .innerJoin('dealers', 'dealers.id', 'theirs.otherId')
    .select(['dealers.id', 'dealers.name', 'dealers.avatar', 'dealers.dealershipName'])
    .where('theirs.dealerId', '=', otherId)
    .where(sql<boolean>`dealers.id in (${sharedBy(dealerId)})`)
    .orderBy('dealers.name')
    .limit(limit)
    .execute()
}

export async function findOpenRequest(db: Db, requesterId: string, dealerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('connectionRequests')
    .select('id')
    .where('requesterId', '=', requesterId)
    .where('dealerId', '=', dealerId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return row?.id
}

export async function haveDealt(db: Db, one: string, other: string): Promise<boolean> {
  const row = await db
    .selectFrom('deals')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('sellerId', '=', one), eb('buyerId', '=', other)]),
        eb.and([eb('sellerId', '=', other), eb('buyerId', '=', one)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records at most one view per viewer and day. */
export async function insertProfileView(db: Db, dealerId: string, viewerId: string): Promise<void> {
  await db
    .insertInto('profileViews')
    .values({ dealerId, viewerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateProfile(tx: Tx, dealerId: string, patch: Omit<ProfilePatch, 'license'>) {
  const { phone, address, zip, description, website, auctionAccessNumber, dealership5MilNumber, ...others } = patch
  const optional = Object.entries({
    phone,
    address,
    zip,
    description,
    website,
    auctionAccessNumber,
    dealership5MilNumber,
  })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, value === '' ? null : value])
  return tx
    .updateTable('dealers')
    .set({
      ...others,
      ...Object.fromEntries(optional),
      ...(zip !== undefined && { placeId: placeOf(zip) }),
      updatedAt: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the previous avatar, whose file can be removed, or undefined if the dealer is deleted. */
export async function updateAvatar(
  tx: Tx,
  dealerId: string,
  avatar: string | null,
): Promise<{ before: string | null } | undefined> {
  const before = await tx
    .selectFrom('dealers')
    .select('avatar')
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (before === undefined) return undefined
  await tx.updateTable('dealers').set({ avatar }).where('id', '=', dealerId).execute()
  return { before: before.avatar }
}

export async function removeOldProfileViews(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from profile_views where ctid = any(array(
      select ctid from profile_views where day < ${before}::timestamptz::date limit ${limit}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
