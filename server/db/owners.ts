import type { DB } from './schema.ts'

export interface Tables {
  /** Its own, of no interest to anybody else. */
  own?: readonly (keyof DB)[]
  /** Its own as well; queries of others may join them. */
  readable?: readonly (keyof DB)[]
  /** Others may store a row by a statement of their own, as what happened goes into the outbox with what it is about. */
  appendable?: readonly (keyof DB)[]
}

/**
 * Whose tables these are. Only the repositories of that feature (and its SQL function, where it has one) write them; whoever
 * else has something to change there calls the owner's service in the own transaction. tests/server/platform/table-owners.test.ts
 * reads this list against every repository and against what a running server asks of PostgreSQL.
 */
export const tableOwners: Record<string, Tables> = {
  account: { own: ['apiKeys', 'dataExports', 'emailChanges'] },
  admin: { own: ['auditLog', 'backups', 'dealerNotes', 'retention'] },
  auctions: {
    own: ['auctionFlags', 'bidReceipts'],
    readable: ['auctionBidders', 'auctionPresets', 'auctions', 'bids', 'reserveChanges'],
  },
  auth: {
    own: [
      'authTokens',
      'authenticators',
      'firstAdmin',
      'identities',
      'passkeyChallenges',
      'passkeys',
      'recoveryCodes',
      'waitingSignIns',
    ],
  },
  billing: {
    own: ['stripeEvents'],
    readable: [
      'addOns',
      'billingCustomers',
      'entitlementGrants',
      'plans',
      'refunds',
      'subscriptionAddOns',
      'subscriptions',
    ],
  },
  comments: { readable: ['comments'] },
  dealers: { readable: ['connectionRequests', 'connections', 'dealers', 'networkSettings', 'profileViews'] },
  deals: { own: ['dealDocuments', 'dealSignatures', 'dealSteps'], readable: ['deals', 'offers'] },
  find: { own: ['findSellers', 'findWalk'], readable: ['findVehicles', 'findWords', 'postalPlaces'] },
  lane: { own: ['lanePins'] },
  messaging: { readable: ['chatMembers', 'chats', 'messages'] },
  moderation: { readable: ['reports'] },
  notifications: { readable: ['notifications'] },
  onboarding: { own: ['onboarding'] },
  ops: { own: ['incidents', 'queueAlarms', 'serviceDays', 'serviceStates'] },
  platform: { readable: ['sessions'], appendable: ['outbox'] },
  posting: { own: ['sheetImports'] },
  posts: {
    own: ['searchWords'],
    readable: ['photos', 'postImpressions', 'posts', 'postViews', 'reactions', 'vehicles'],
  },
  promotions: { readable: ['promotions'] },
  reviews: { readable: ['reviews'] },
  saved: { readable: ['savedSearches', 'watches'] },
  site: {
    own: ['contactAnswers', 'listSubscribers', 'newsletterDeliveries', 'newsletterIssues'],
    readable: ['contactMessages'],
  },
  wanted: { own: ['buyOrderMatches', 'demandAsks', 'findAlerts', 'findWatchers'], readable: ['buyOrders'] },
  uploads: { own: ['objectSources'], readable: ['objects'] },
}
