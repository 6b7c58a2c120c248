import type { AdmissionVerdict } from '#shared/schemas/admin.ts'
import type { Joining } from '#shared/schemas/auth.ts'
import { AppError, conflict } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/admin/audit.service.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findDealer, updateDealer } from './dealers.repository.ts'
import { admissionOf } from './dealers.rows.ts'
import { findNetworkSettings } from './licenses.repository.ts'

/** Of an account that may use the network: it waits for nobody. */
export const admitted = { waitingSince: null, declinedAt: null, declinedReason: null }

/** Who may join, as the network is set now: read anew each time, so that a change counts on every node at once. */
export const joiningOf = async (db: Db): Promise<Joining> => (await findNetworkSettings(db)).joining

/**
 * How an account begins that somebody makes for themselves.
 * @throws AppError 403 `invitation_required` where nobody may
 */
export async function beginsAs(tx: Tx): Promise<{ waiting: boolean }> {
  const joining = await joiningOf(tx)
  if (joining === 'invitation')
    throw new AppError(
      403,
      'invitation_required',
      'You need an invitation to join this network. Open the link in your invitation email, or ask an admin for one',
    )
  return { waiting: joining === 'approval' }
}

/**
 * An admin's verdict on an account that waits; the dealer is told by mail. One that was declined can still be approved. In the
 * caller's transaction, with the dealer's row locked.
 * @throws AppError 409 where the account does not wait, or was declined already
 */
export async function decideAdmission(
  tx: Tx,
  emit: Emit,
  by: By,
  subject: Act['subject'],
  { verdict, reason = '' }: AdmissionVerdict,
): Promise<void> {
  const row = await findDealer(tx, subject.id)
  const before = row && admissionOf(row)
  if (before === undefined || before === 'admitted') throw conflict('This dealer is not waiting for approval')
  const declined = verdict === 'declined'
  if (declined && before === 'declined') throw conflict('This dealer has already been declined')
  await updateDealer(tx, subject.id, declined ? { declinedAt: new Date(), declinedReason: reason } : admitted)
  await recordAct(tx, by, {
    action: declined ? 'user.decline' : 'user.approve',
    subject,
    reason,
    before: { admission: before },
    after: { admission: declined ? 'declined' : 'admitted' },
  })
  await emit.job('mail.admission', { dealerId: subject.id })
}
