import { sql, type Selectable } from 'kysely'
import type { Admission, CurrentUser, Dealer } from '#shared/schemas/dealers.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import type { Dealers } from '#server/db/schema.ts'
import { isVerified, shownLicense } from './licenses.rows.ts'

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
  'dealers.licenseVerifiedAt',
  'dealers.licenseRejectedAt',
  'dealers.licenseExpiresOn',
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
  | 'licenseVerifiedAt'
  | 'licenseRejectedAt'
  | 'licenseExpiresOn'
  | 'connectionCount'
  | 'dealsCompleted'
  | 'rating'
  | 'buysCanadianVehicles'
>

/**
 * What admins know a colleague by: the name, or the address where none was given, as of an admin whom the command line has made. Null
 * where there is no such row. Never for dealers to read.
 */
export const nameOrEmail = (dealers: string) =>
  sql<string | null>`coalesce(nullif(${sql.ref(`${dealers}.name`)}, ''), ${sql.ref(`${dealers}.email`)}::text)`

/** Only what others may see: a row may carry more than it. */
export function toDealer(row: PublicRow): Dealer {
  const dealershipType = row.dealershipType
  return {
    id: row.id,
    name: row.name,
    avatar: row.avatar,
    dealershipName: row.dealershipName,
    dealershipType,
    type: dealershipType,
    city: row.city,
    state: row.state,
    licenseNumber: shownLicense(row),
    verified: isVerified(row),
    connectionCount: row.connectionCount,
    dealsCompleted: row.dealsCompleted,
    rating: row.rating,
    buysCanadianVehicles: row.buysCanadianVehicles,
  }
}

export function admissionOf({
  waitingSince,
  declinedAt,
}: Pick<Selectable<Dealers>, 'waitingSince' | 'declinedAt'>): Admission {
  if (waitingSince === null) return 'admitted'
  return declinedAt === null ? 'waiting' : 'declined'
}

export function toCurrentUser(row: Selectable<Dealers>): CurrentUser {
  return {
    ...toDealer(row),
    email: row.email,
    phone: row.phone,
    role: row.role,
    profileComplete: row.profileCompletedAt !== null,
    admission: admissionOf(row),
    declinedReason: row.declinedReason ?? '',
    // The row does not tell: it is the session's role that is withheld.
    secondFactorDue: false,
    settings: settingsOf(row.settings),
    rev: row.rev,
  }
}
