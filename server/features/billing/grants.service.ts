import { conflict } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/admin/audit.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { insertGrant, removeGrants } from './billing.repository.ts'

/**
 * An admin gives a dealer API access beside the plan, or takes it back: keys made with it work only while it lasts. In the
 * caller's transaction, with the dealer's row locked.
 * @throws 409 where it is so already
 */
export async function setApiAccess(
  tx: Tx,
  emit: Emit,
  by: By,
  subject: Act['subject'],
  granted: boolean,
): Promise<void> {
  const dealerId = subject.id
  const changed = granted
    ? await insertGrant(tx, { dealerId, entitlement: 'apiAccess', grantedBy: by.actor.dealerId })
    : await removeGrants(tx, dealerId, 'apiAccess')
  if (!changed) throw conflict(granted ? 'API access is granted already' : 'There is no API access to take back')
  await recordAct(tx, by, {
    action: granted ? 'access.grant' : 'access.revoke',
    subject,
    before: { apiAccess: !granted },
    after: { apiAccess: granted },
  })
  await touchInbox(tx, emit, [dealerId], 'subscription', dealerId)
  await notify(tx, emit, {
    dealerId,
    kind: 'subscription',
    title: granted ? 'API access granted' : 'API access ended',
    body: granted ? 'Make your first key in Settings' : 'Your API keys do not work any more',
    path: '/settings#api-keys',
    key: `api-access:${granted}:${by.requestId}`,
  })
}

/** What was given to an account that goes away. */
export const dropGrants = (tx: Tx, dealerId: string): Promise<boolean> => removeGrants(tx, dealerId)
