import type { DB } from './schema.ts'

export interface Tables {
  own?: readonly (keyof DB)[]
  /** Tables that other features may read by joining them. */
  readable?: readonly (keyof DB)[]
  /** Tables of other features whose rows this feature may update, but not insert or delete, such as a dealer's inbox counter. */
  touches?: readonly (keyof DB)[]
  /** Tables into which other features may insert rows directly, such as the outbox. */
  appendable?: readonly (keyof DB)[]
}

/**
 * Only a feature's own repositories and SQL functions write to its tables; other features call its services.
 * tests/server/platform/table-owners.test.ts enforces this.
 */
export const tableOwners: Record<string, Tables> = {
  account: { own: ['dataExports'] },
  admin: { own: ['backups', 'dealerNotes', 'retention'] },
  audit: { own: ['auditLog'] },
  auctions: {
    own: ['auctionFlags', 'bidReceipts'],
    readable: ['auctionBidders', 'auctionPresets', 'auctions', 'bids', 'reserveChanges'],
  },
  auth: {
    own: [
      'apiKeys',
      'authTokens',
      'authenticators',
      'emailChanges',
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
  deals: { own: ['dealDocuments', 'dealSignatures'], readable: ['dealSteps', 'deals', 'offers'] },
  find: { own: ['findSellers', 'findWalk'], readable: ['findVehicles', 'findWords', 'postalPlaces'] },
  lane: { own: ['lanePins'] },
  messaging: { readable: ['chatMembers', 'chats', 'messages'] },
  moderation: { appendable: ['reports'] },
  notifications: { readable: ['notifications'], touches: ['dealers'] },
  onboarding: { own: ['onboarding'] },
  ops: { own: ['incidents', 'queueAlarms', 'serviceDays', 'serviceStates'] },
  platform: { readable: ['sessions'], appendable: ['outbox'] },
  posting: { own: ['sheetColumns'], touches: ['sheetImports'] },
  posts: {
    own: ['searchWords'],
    readable: ['photos', 'postImpressions', 'posts', 'postViews', 'reactions', 'sheetImports', 'vehicles'],
  },
  promotions: { readable: ['promotions'] },
  push: { own: ['pushKeys'], readable: ['pushDevices'] },
  reviews: { readable: ['reviews'] },
  sale: { touches: ['auctions', 'posts', 'vehicles'] },
  saved: { readable: ['savedSearches', 'watches'] },
  site: {
    own: ['contactAnswers', 'listSubscribers', 'newsletterDeliveries', 'newsletterIssues'],
    readable: ['contactMessages'],
  },
  wanted: { own: ['buyOrderMatches', 'demandAsks', 'findAlerts', 'findWatchers'], readable: ['buyOrders'] },
  uploads: { own: ['objectSources'], readable: ['objects'] },
}
