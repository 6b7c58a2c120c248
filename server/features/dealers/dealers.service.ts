import { unauthorized } from '#server/errors.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { preventDeletion, lockDealer } from './dealers.repository.ts'

/** Shared access to dealer rows. Callers apply their own rules and emit their own events. */
export {
  anonymize,
  deletedName,
  completeProfile,
  countCompletedDeal,
  findDealer,
  findDealerByEmail,
  findSettings,
  findTimeZone,
  hasDemoAccounts,
  insertDealer,
  insertMissingDealers,
  listShowing,
  listStaff,
  listStaffWithoutFactor,
  lockDealer,
  refreshPlaces,
  refreshRating,
  updateDealer,
  updateEmail,
  updateEmailVerified,
  updateSettings,
} from './dealers.repository.ts'

export { insertPastNetwork, type PastNetwork } from './connections-demo.repository.ts'

export { findNetworkSettings, type StoredSettings, updateNetworkSettings } from './licenses.repository.ts'

export {
  findProfile,
  type ProfileRow,
  removeOldProfileViews as sweepProfileViews,
  updateProfile,
} from './profiles.repository.ts'

/** Call this before inserting data that must not outlive the account. @throws 401 if the account has been deleted */
export async function lockDealerShared(tx: Tx, dealerId: string): Promise<void> {
  if (!(await preventDeletion(tx, dealerId))) throw unauthorized()
}

/** Makes a dealer's concurrent requests run one by one, so that they cannot exceed a limit. @throws 401 if the account is deleted */
export async function lockDealerAlone(tx: Tx, dealerId: string): Promise<void> {
  if ((await lockDealer(tx, dealerId)) === undefined) throw unauthorized()
}
