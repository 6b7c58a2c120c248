import type { AdmissionVerdict } from '#shared/schemas/admin.ts'
import type { Joining } from '#shared/schemas/auth.ts'
import { AppError, conflict } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/audit/audit.service.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { findDealer, updateDealer } from './dealers.repository.ts'
import { admissionOf } from './dealers.rows.ts'
import { findNetworkSettings } from './licenses.repository.ts'

export const admitted = { waitingSince: null, declinedAt: null, declinedReason: null }

/** Not cached, so that a change applies on every node at once. */
export const joiningOf = async (db: Db): Promise<Joining> => (await findNetworkSettings(db)).joining

/** Returns whether a new account has to wait for approval. @throws 403 `invitation_required` if the network requires an invitation */
export async function initialAdmission(tx: Tx): Promise<{ waiting: boolean }> {
  const joining = await joiningOf(tx)
  if (joining === 'invitation')
    throw new AppError(
      403,
      'invitation_required',
      'You need an invitation to join this network. Open the link in your invitation email, or ask an admin for one',
    )
  return { waiting: joining === 'approval' }
}

/** Approves or declines an account. Lock its row first. @throws 409 if it is neither waiting nor declined, or would be declined twice */
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
