import type { Selectable } from 'kysely'
import type { OwnLicense } from '#shared/schemas/dealers.ts'
import type { Dealers } from '#server/db/schema.ts'

type LicenseRow = Pick<
  Selectable<Dealers>,
  | 'licenseNumber'
  | 'licenseState'
  | 'licenseExpiresOn'
  | 'licenseScan'
  | 'licenseVerifiedAt'
  | 'licenseRejectedAt'
  | 'licenseRejectedReason'
>

const lastZoneMs = -12 * 3_600_000

/** Returns the date in UTC−12, where each day ends last. A license is valid through its last day in every time zone. */
export const licenseDay = (): string => new Date(Date.now() + lastZoneMs).toISOString().slice(0, 10)

export const isOver = ({ licenseExpiresOn }: Pick<LicenseRow, 'licenseExpiresOn'>): boolean =>
  licenseExpiresOn !== null && licenseExpiresOn < licenseDay()

export const isVerified = (row: Pick<LicenseRow, 'licenseVerifiedAt' | 'licenseExpiresOn'>): boolean =>
  row.licenseVerifiedAt !== null && !isOver(row)

/** Other dealers do not see a rejected license. */
export const displayedLicense = (row: Pick<LicenseRow, 'licenseNumber' | 'licenseRejectedAt'>): string | null =>
  row.licenseRejectedAt === null ? row.licenseNumber : null

function statusOf(row: LicenseRow): OwnLicense['status'] {
  if (row.licenseNumber === null) return 'none'
  if (row.licenseRejectedAt !== null) return 'rejected'
  if (isOver(row)) return 'expired'
  return row.licenseVerifiedAt === null ? 'waiting' : 'verified'
}

export function toOwnLicense(row: LicenseRow): OwnLicense {
  return {
    number: row.licenseNumber ?? '',
    state: row.licenseState ?? '',
    expiresOn: row.licenseExpiresOn ?? '',
    scan: row.licenseScan,
    status: statusOf(row),
    reason: row.licenseRejectedReason ?? '',
  }
}
