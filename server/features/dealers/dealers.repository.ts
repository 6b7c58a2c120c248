import type { Selectable } from 'kysely'
import type { CurrentUser, Dealer, DealerRole } from '#shared/schemas/dealers.ts'
import type { DealershipType } from '#shared/places.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import type { Dealers } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/db.ts'

/** The columns of a dealer that others may see. */
export const dealerColumns = [
  'dealers.id',
  'dealers.name',
  'dealers.avatar',
  'dealers.dealershipName',
  'dealers.dealershipType',
  'dealers.city',
  'dealers.state',
  'dealers.licenseNumber',
  'dealers.connectionCount',
  'dealers.dealsCompleted',
  'dealers.rating',
  'dealers.buysCanadianVehicles',
] as const

type PublicRow = Pick<
  Selectable<Dealers>,
  | 'id'
  | 'name'
  | 'avatar'
  | 'dealershipName'
  | 'dealershipType'
  | 'city'
  | 'state'
  | 'licenseNumber'
  | 'connectionCount'
  | 'dealsCompleted'
  | 'rating'
  | 'buysCanadianVehicles'
>

/** Only what others may see: a row may carry more than it. */
export function toDealer(row: PublicRow): Dealer {
  const dealershipType = row.dealershipType as DealershipType
  return {
    id: row.id,
    name: row.name,
    avatar: row.avatar,
    dealershipName: row.dealershipName,
    dealershipType,
    type: dealershipType,
    city: row.city,
    state: row.state,
    licenseNumber: row.licenseNumber,
    connectionCount: row.connectionCount,
    dealsCompleted: row.dealsCompleted,
    rating: row.rating,
    buysCanadianVehicles: row.buysCanadianVehicles,
  }
}

export function toCurrentUser(row: Selectable<Dealers>): CurrentUser {
  return {
    ...toDealer(row),
    email: row.email,
    phone: row.phone,
    role: row.role as DealerRole,
    profileComplete: row.profileCompletedAt !== null,
    settings: settingsOf(row.settings),
    rev: row.rev,
  }
}

export async function findDealer(db: Db, dealerId: string) {
  return db
    .selectFrom('dealers')
    .selectAll()
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Locked until the transaction ends: whoever opens, moves or ends an account does it one after the other. */
export async function lockDealer(tx: Tx, dealerId: string) {
  return tx
    .selectFrom('dealers')
    .selectAll()
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function findDealerByEmail(db: Db, email: string) {
  return db
    .selectFrom('dealers')
    .selectAll()
    .where('email', '=', email)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

export async function insertDealer(
  db: Db,
  dealer: { email: string; passwordHash: string | null; demo?: boolean; name?: string },
) {
  return db.insertInto('dealers').values(dealer).returningAll().executeTakeFirstOrThrow()
}
