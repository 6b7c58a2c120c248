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
