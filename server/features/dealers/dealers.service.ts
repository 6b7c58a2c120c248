import { unauthorized } from '#server/errors.ts'
import type { Tx } from '#server/platform/db.ts'
import { keepDealer, lockDealer } from './dealers.repository.ts'

/**
 * A dealer's row, as the features around it read and change it: sign-in, settings, onboarding, deals, reviews and admins all
 * keep something there. Each decides by its own rules and calls this in its own transaction; what changes here is heard by
 * nobody before the caller says so.
 */
export {
  anonymise,
  deletedName,
  bumpRevs,
  completeProfile,
  countCompletedDeal,
  findDealer,
  findDealerByEmail,
  findRev,
  findSettings,
  hasDemoAccounts,
  insertDealer,
  insertMissingDealers,
  listShowing,
  listStaff,
  lockDealer,
  refreshPlaces,
  refreshRating,
  updateDealer,
  updateEmail,
  updateEmailVerified,
  updateSettings,
} from './dealers.repository.ts'

export { insertPastNetwork, type PastNetwork } from './connections-demo.repository.ts'

export { removeOldProfileViews as sweepProfileViews } from './profiles.repository.ts'

/**
 * Before the dealer gets something that would outlive the account: what takes an account away looks for such things once.
 * @throws 401 where it has gone since it was asked who calls
 */
export async function holdDealer(tx: Tx, dealerId: string): Promise<void> {
  if (!(await keepDealer(tx, dealerId))) throw unauthorized()
}

/** The same for what is counted, so that it stays within a limit: what the dealer asks for at once comes one after the other. */
export async function holdDealerAlone(tx: Tx, dealerId: string): Promise<void> {
  if ((await lockDealer(tx, dealerId)) === undefined) throw unauthorized()
}
