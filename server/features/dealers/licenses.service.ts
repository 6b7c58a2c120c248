import { statesAndProvinces } from '#shared/places.ts'
import { licenseeFields } from '#shared/constants/dealers.ts'
import type { License, OwnLicense } from '#shared/schemas/dealers.ts'
import { AppError, badRequest, conflict } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/audit/audit.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { attachFile, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { findDealer, lockDealer, updateDealer } from './dealers.repository.ts'
import type { StoredBuyFee } from './buy-fee.rows.ts'
import { isOver, isVerified, licenseDay, toOwnLicense } from './licenses.rows.ts'
import { findNetworkSettings } from './licenses.repository.ts'

const none = {
  licenseNumber: null,
  licenseState: null,
  licenseExpiresOn: null,
  licenseScan: null,
  licenseSubmittedAt: null,
  licenseVerifiedAt: null,
  licenseRejectedAt: null,
  licenseRejectedReason: null,
}

const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function checked(license: License): License {
  const { number, state, expiresOn } = license
  const fault = (message: string, field: string) => badRequest(message, { fields: [field] })
  if (!(statesAndProvinces as readonly string[]).includes(state))
    throw fault('Choose the state or province that issued the license', 'licenseState')
  if (!isDay(expiresOn)) throw fault('Enter the date the license expires', 'licenseExpiresOn')
  if (expiresOn < licenseDay()) throw fault('This license has expired. Enter the current one', 'licenseExpiresOn')
  return { ...license, number: number.trim() }
}

/** A changed license has to be verified again; an unchanged one keeps its status, even if rejected. @throws 400 with the invalid field */
export async function submitLicense(tx: Tx, dealerId: string, sent: License): Promise<void> {
  const before = await lockDealer(tx, dealerId)
  if (before === undefined) return
  const empty = sent.number.trim() === ''
  const license = empty ? undefined : checked(sent)
  const scan = license?.scan ? await attachFile(tx, dealerId, license.scan) : null
  const known = toOwnLicense(before)
  const isSame =
    license === undefined
      ? known.number === ''
      : (['number', 'state', 'expiresOn'] as const).every((key) => known[key] === license[key]) && known.scan === scan
  if (isSame) return
  await updateDealer(tx, dealerId, {
    ...none,
    ...(license && {
      licenseNumber: license.number,
      licenseState: license.state,
      licenseExpiresOn: license.expiresOn,
      licenseScan: scan,
      licenseSubmittedAt: new Date(),
    }),
  })
  if (known.scan !== null && known.scan !== scan) await releaseUrls(tx, dealerId, [known.scan])
}

type LockedDealer = NonNullable<Awaited<ReturnType<typeof lockDealer>>>

/** Unverifies a changed license. Decisions on the old data then fail. Lock the dealer, and call this before updating the profile. */
export async function recheckLicense(
  tx: Tx,
  before: LockedDealer,
  next: Partial<Pick<LockedDealer, (typeof licenseeFields)[number]>>,
): Promise<void> {
  const isSame = licenseeFields.every((key) => next[key] === undefined || next[key] === before[key])
  const { status } = toOwnLicense(before)
  if (isSame || status === 'none' || status === 'rejected') return
  await updateDealer(tx, before.id, { licenseVerifiedAt: null, licenseSubmittedAt: new Date() })
}

type Verdict = 'verified' | 'rejected'

/** @throws 409 if there is no license, it has changed, it already has this status, or it has expired and cannot be verified */
function requireOpen(row: Awaited<ReturnType<typeof findDealer>>, verdict: Verdict, submittedAt: string): OwnLicense {
  if (!row?.licenseNumber || row.licenseSubmittedAt === null)
    throw conflict('This dealer has not submitted a license number')
  if (row.licenseSubmittedAt.getTime() !== new Date(submittedAt).getTime())
    throw conflict(
      'The dealer has since submitted another license or changed their name or state. Reload and check again',
    )
  const license = toOwnLicense(row)
  if (license.status === verdict) throw conflict(`This license is already ${verdict}`)
  if (verdict === 'verified' && isOver(row))
    throw conflict('This license has expired. Reject it so the dealer can submit a current one')
  return license
}

/** The caller must lock the dealer's row. A verified license can still be rejected. @throws the errors of {@link requireOpen} */
export async function decideLicense(
  tx: Tx,
  emit: Emit,
  by: By,
  subject: Act['subject'],
  { verdict, reason, submittedAt }: { verdict: Verdict; reason: string; submittedAt: string },
): Promise<void> {
  const dealerId = subject.id
  const before = requireOpen(await findDealer(tx, dealerId), verdict, submittedAt)
  const verified = verdict === 'verified'
  await updateDealer(tx, dealerId, {
    licenseVerifiedAt: verified ? new Date() : null,
    licenseRejectedAt: verified ? null : new Date(),
    licenseRejectedReason: verified ? null : reason,
  })
  const { number, state, expiresOn } = before
  await recordAct(tx, by, {
    action: verified ? 'license.verify' : 'license.reject',
    subject,
    reason,
    before: { number, state, expiresOn, status: before.status },
    after: { status: verdict },
  })
  await notify(tx, emit, {
    dealerId,
    kind: 'moderation',
    title: verified ? 'Your dealer license is verified' : 'Your dealer license was rejected',
    body: verified ? 'Your profile and posts now show a Verified badge' : reason,
    path: '/profile-edit#license',
    key: `license:${verdict}:${by.requestId}`,
  })
}

export const buyFeeOf = (db: Db): Promise<StoredBuyFee> => findNetworkSettings(db)

export const licenseRequired = (): AppError =>
  new AppError(
    403,
    'license_required',
    "Only verified dealers can post, bid and make offers here. Enter your dealer license in Profile Edit, or wait until we've checked it",
  )

const confirmFirst =
  'Confirm your email address before you post, bid or make offers. Open the link in the email we sent you, or have it sent again'

/** For this error code, the client offers to send the confirmation email again. */
export const emailUnconfirmed = (message = confirmFirst): AppError => new AppError(403, 'email_unconfirmed', message)

/** Guards posting and making offers; place-bids.sql guards bids. @throws 403 `email_unconfirmed` or `license_required` */
export async function requireMayTrade(db: Db, dealerId: string): Promise<void> {
  const { confirmedOnly, verifiedOnly } = await findNetworkSettings(db)
  if (!confirmedOnly && !verifiedOnly) return
  const row = await findDealer(db, dealerId)
  if (confirmedOnly && row?.emailVerifiedAt === null) throw emailUnconfirmed()
  if (verifiedOnly && (row === undefined || !isVerified(row))) throw licenseRequired()
}
