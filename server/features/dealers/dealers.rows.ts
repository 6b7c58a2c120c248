import type { Selectable } from 'kysely'
import type { Admission, CurrentUser, Dealer } from '#shared/schemas/dealers.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import type { Dealers } from '#server/db/schema.ts'
import { isVerified, displayedLicense } from './licenses.rows.ts'

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

/** Copies only the public fields, because the row may have more. */
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
    licenseNumber: displayedLicense(row),
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
    // Always false here, because only the session knows whether a role is withheld until the second factor is set up.
    secondFactorDue: false,
    settings: settingsOf(row.settings),
    rev: row.rev,
  }
}
