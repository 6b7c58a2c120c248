import Type from 'typebox'
import type { Static } from 'typebox'
import { BuyFee } from '#shared/buy-fee.ts'
import { dealershipTypes } from '#shared/places.ts'
import { Admission, dealerRoles, OwnLicense } from './dealers.ts'
import { CaseReport, Person } from './moderation.ts'
import { Deal, reviewStatuses } from './deals.ts'
import { SessionInfo } from './account.ts'
import { Joining, Proof } from './auth.ts'
import { postStatuses } from './posts.ts'
import { reportKinds } from '#shared/moderation.ts'
import { dealerNoteMax } from '#shared/limits.ts'
import { Email, Id, Nullable, oneOf, Reason, Timestamp } from '#shared/values.ts'

const adminUserStates = ['active', 'suspended', 'unverified', 'deleted'] as const
export type AdminUserState = (typeof adminUserStates)[number]

/** A dealer license as an admin judges it. `waiting`: for a verdict. */
const AdminLicense = Type.Object({ ...OwnLicense.properties, submittedAt: Nullable(Timestamp) })

/** A row of /admin/users. */
export const AdminUser = Type.Object({
  id: Id,
  name: Type.String(),
  dealershipName: Type.String(),
  dealershipType: oneOf(dealershipTypes),
  email: Type.String(),
  phone: Nullable(Type.String()),
  city: Type.String(),
  state: Type.String(),
  avatar: Nullable(Type.String()),
  isOnline: Type.Boolean(),
  role: oneOf(dealerRoles),
  license: AdminLicense,
  auctionAccessNumber: Nullable(Type.String()),
  dealership5MilNumber: Nullable(Type.String()),
  /** Given by an admin beside the plan. */
  apiAccess: Type.Boolean(),
  suspendedAt: Nullable(Timestamp),
  suspendedUntil: Nullable(Timestamp),
  suspendedReason: Nullable(Type.String()),
  /** Since when the dealer may not bid: won and cancelled too often. Null again by an admin's word. */
  biddingStoppedAt: Nullable(Timestamp),
  /** What the owner has done so far. */
  emailVerified: Type.Boolean(),
  profileComplete: Type.Boolean(),
  admission: Admission,
  /** Since when an admin's verdict was waited for; null where there was nothing to wait for. */
  waitingSince: Nullable(Timestamp),
  declinedReason: Nullable(Type.String()),
  /** How long the mailed link works; null once they have come, and for whoever came by themselves. */
  invitedUntil: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type AdminUser = Static<typeof AdminUser>

/** GET /api/admin/users. Newest first; `q` is matched against name, dealership and e-mail without regard to case. */
export const AdminUsersQuery = Type.Object({
  /** Part of a name, dealership or email; with fewer than three letters or digits in a row the beginning of a word. */
  q: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(oneOf(['active', 'suspended', 'unverified', 'waiting', 'declined'] as const)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type AdminUsersQuery = Static<typeof AdminUsersQuery>

export const AdminUsersPage = Type.Object({
  users: Type.Array(AdminUser),
  total: Type.Integer({ description: 'A search counts up to 1,000; 1001 means more' }),
  nextCursor: Nullable(Type.String()),
})
export type AdminUsersPage = Static<typeof AdminUsersPage>

/** What an admin has written about a dealer, for other admins alone. */
const DealerNote = Type.Object({
  id: Id,
  author: Type.Object({ id: Id, name: Type.String() }),
  text: Type.String(),
  createdAt: Timestamp,
})

const FiledReport = Type.Object({
  ...CaseReport.properties,
  kind: oneOf(reportKinds),
  subjectId: Id,
  /** Whose the reported thing is. */
  author: Person,
})
export type FiledReport = Static<typeof FiledReport>

/** GET /api/admin/users/{id}/file: one dealer, and of each list the newest twenty. */
export const DealerFile = Type.Object({
  user: AdminUser,
  /** The account is gone: what is left of it is kept for the other side's books. */
  deletedAt: Nullable(Timestamp),
  /** Invited, and has not come yet. */
  invited: Type.Boolean(),
  posts: Type.Array(
    Type.Object({
      id: Id,
      title: Type.String(),
      status: oneOf(postStatuses),
      vehicleCount: Type.Integer(),
      hidden: Type.Boolean(),
      deleted: Type.Boolean(),
      createdAt: Timestamp,
    }),
  ),
  deals: Type.Array(Deal),
  reports: Type.Object({ by: Type.Array(FiledReport), about: Type.Array(FiledReport) }),
  /** Whether the account is asked for more than its password. */
  secondFactor: Type.Boolean(),
  sessions: Type.Array(Type.Omit(SessionInfo, ['current'])),
  notes: Type.Array(DealerNote),
})
export type DealerFile = Static<typeof DealerFile>

/** POST /api/admin/users/{id}/notes */
export const NewDealerNote = Type.Object({ text: Type.String({ minLength: 1, maxLength: dealerNoteMax, trim: true }) })
export type NewDealerNote = Static<typeof NewDealerNote>

const Profile = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  dealershipName: Type.String({ maxLength: 160 }),
  dealershipType: oneOf(dealershipTypes),
  email: Email,
  phone: Nullable(Type.String({ maxLength: 40 })),
  city: Type.String({ maxLength: 80 }),
  state: Type.String({ maxLength: 40 }),
  role: oneOf(dealerRoles),
}

/** PATCH /api/admin/users/{id}: these fields and no others. Another email ends the account's sessions and mailed links. */
export const AdminUserChange = Type.Partial(Type.Object(Profile))
export type AdminUserChange = Static<typeof AdminUserChange>

/** POST /api/admin/users: the account is made without a password and its owner invited by mail. */
export const NewAdminUser = Type.Object({
  name: Profile.name,
  email: Profile.email,
  dealershipName: Profile.dealershipName,
  dealershipType: Profile.dealershipType,
  role: Profile.role,
})
export type NewAdminUser = Static<typeof NewAdminUser>

/** POST /api/admin/invitations: a dealer, by nothing but the address. They fill in the rest themselves. */
export const NewInvitation = Type.Object({ email: Email })
export type NewInvitation = Static<typeof NewInvitation>

/** GET /api/admin/invitations: a mailed link that nobody has used yet. `until`: how long it works. */
export const Invitation = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  role: oneOf(dealerRoles),
  invitedAt: Timestamp,
  until: Timestamp,
  expired: Type.Boolean(),
})
export type Invitation = Static<typeof Invitation>

/** POST /api/admin/users/{id}/admission. Who is declined reads why. */
export const AdmissionVerdict = Type.Object({
  verdict: oneOf(['approved', 'declined'] as const),
  reason: Type.Optional(Reason),
})
export type AdmissionVerdict = Static<typeof AdmissionVerdict>

/** `until` null suspends without an end. */
export const Suspension = Type.Object({ reason: Reason, until: Nullable(Timestamp) })
export type Suspension = Static<typeof Suspension>

export const WithReason = Type.Object({ reason: Reason })
export const WithOptionalReason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) })

/** POST /api/admin/users/{id}/api-access */
export const ApiAccess = Type.Object({ granted: Type.Boolean() })
export type ApiAccess = Static<typeof ApiAccess>

/** The least and the most months that logs are kept: figures look back for less than the least. */
const logMonthsMin = 3
const retentionMonthsMax = 120

/**
 * PUT /api/admin/retention: how many months messages are kept (null: for ever), and what is noted along the way: notices, views, sessions
 * that ended, contact messages that were answered, jobs that failed. The audit log stays.
 */
export const Retention = Type.Object(
  {
    messageMonths: Nullable(Type.Integer({ minimum: 1, maximum: retentionMonthsMax })),
    logMonths: Type.Integer({ minimum: logMonthsMin, maximum: retentionMonthsMax }),
  },
  { additionalProperties: false },
)
export type Retention = Static<typeof Retention>

/** GET /api/admin/retention, and when what was too old was last removed. */
export const RetentionState = Type.Object({
  ...Retention.properties,
  ranAt: Nullable(Timestamp),
  /** Rows, in that run. */
  removed: Type.Integer(),
})
export type RetentionState = Static<typeof RetentionState>

/**
 * GET /api/admin/network. `joining`: who may join (see `Joining` of auth.ts); who waits goes on waiting, whatever it is changed
 * to. `confirmedOnly`: only dealers with a confirmed address post, bid and offer. `verifiedOnly`: only those with a verified license.
 * `planRequired`: posting, bidding and offering need a plan that is paid for, where plans are paid for. `demoPaused`: the
 * dealers of the demo do nothing by themselves; there only where they otherwise would.
 */
export const NetworkSettings = Type.Object({
  joining: Joining,
  confirmedOnly: Type.Optional(Type.Boolean()),
  verifiedOnly: Type.Boolean(),
  planRequired: Type.Optional(Type.Boolean()),
  demoPaused: Type.Optional(Type.Boolean()),
  /** Whether admins and ops staff need a second factor. */
  staffSecondFactor: Type.Optional(Type.Boolean()),
  /** What a buyer pays the network beside the price, of auctions and offers that begin from then on; null: nothing. */
  buyFee: Type.Optional(Nullable(BuyFee)),
  /** Who has won and cancelled too often (`cancelledWinsMax` of limits.ts) bids again by an admin's word only. */
  stopAfterCancels: Type.Optional(Type.Boolean()),
})
export type NetworkSettings = Static<typeof NetworkSettings>

/** PATCH /api/admin/network: what is absent stays. `proof` is asked for where `staffSecondFactor` changes. */
export const NetworkChange = Type.Object({
  ...Type.Partial(NetworkSettings).properties,
  proof: Type.Optional(Proof),
})
export type NetworkChange = Static<typeof NetworkChange>

/** POST /api/admin/users/{id}/license: of the license that was submitted then. A rejection says why; the dealer reads it. */
export const LicenseVerdict = Type.Object({
  verdict: oneOf(['verified', 'rejected'] as const),
  reason: Type.Optional(Reason),
  submittedAt: Timestamp,
})
export type LicenseVerdict = Static<typeof LicenseVerdict>

/** GET /api/admin/overview. Money in dollars per month; `share` in percent with one decimal. */
export const AdminOverview = Type.Object({
  monthlyRevenue: Type.Number(),
  annualRevenue: Type.Number(),
  /** Who pay for their plans. */
  subscribers: Type.Integer(),
  /** Who have a plan that was given to them: it brings in nothing. */
  gifts: Type.Integer(),
  /** How many add-ons they have beside their plans. */
  addOns: Type.Integer(),
  /** Accounts of dealers, not those of staff. */
  dealers: Type.Integer(),
  pendingDeals: Type.Integer(),
  /** What was paid back since the month began, in UTC. */
  refundedThisMonth: Type.Number(),
  activePromotions: Type.Integer(),
  unverifiedLicenses: Type.Integer(),
  /** Who wait for an admin to let them in. */
  waitingAccounts: Type.Integer(),
  /** Reported things that wait for a decision. */
  openReports: Type.Integer(),
  /** Contact messages that nobody has handled. */
  waitingMessages: Type.Integer(),
  distribution: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      users: Type.Integer(),
      price: Type.Number(),
      revenue: Type.Number(),
      share: Type.Number(),
    }),
  ),
})
export type AdminOverview = Static<typeof AdminOverview>

/**
 * A deal that a party has submitted for review. `price` in dollars; `status` is the review's own, decided by admins alone
 * (pending: in review). One that ended before a verdict is not listed.
 */
export const AdminDeal = Type.Object({
  id: Id,
  buyerId: Id,
  buyerName: Type.String(),
  sellerId: Id,
  sellerName: Type.String(),
  vehicleInfo: Type.String(),
  vin: Nullable(Type.String()),
  price: Type.Number(),
  /** What the buyer pays the network beside it; absent: nothing. */
  buyFee: Type.Optional(Type.Number()),
  submittedDate: Timestamp,
  status: oneOf(reviewStatuses),
  /** Where the two parties stand. */
  dealStatus: Type.String(),
  notes: Type.String(),
  reviewReason: Type.String(),
  reviewedAt: Nullable(Timestamp),
})
export type AdminDeal = Static<typeof AdminDeal>

export const AdminDealsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(oneOf(reviewStatuses)),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type AdminDealsQuery = Static<typeof AdminDealsQuery>

export const AdminDealsPage = Type.Object({
  deals: Type.Array(AdminDeal),
  counts: Type.Object({
    total: Type.Integer(),
    pending: Type.Integer(),
    approved: Type.Integer(),
    rejected: Type.Integer(),
  }),
  nextCursor: Nullable(Type.String()),
})
export type AdminDealsPage = Static<typeof AdminDealsPage>

/** One act of an admin or of ops staff. `before` and `after` hold only what changed. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Timestamp,
  actorId: Id,
  actorName: Type.String(),
  /** `user.suspend`, `deal.approve`, `queue.pause` … */
  action: Type.String(),
  subjectKind: Type.String(),
  subjectId: Type.String(),
  subjectName: Type.String(),
  reason: Type.String(),
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
  requestId: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>

/** GET /api/admin/audit. `q` is matched against who, whom and why; `action` may be a whole action or its first word. */
export const AuditQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 60 })),
  /** The first moment that counts, and the first that no longer does: a day begins where the reader is. */
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditPage = Type.Object({ entries: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) })
export type AuditPage = Static<typeof AuditPage>

/** POST /api/admin/test-mail: what became of a mail to the admin's own address. */
export const TestMail = Type.Object({
  to: Type.String(),
  /** Without SMTP_URL the mail stays on the server's disk. */
  kept: Type.Boolean(),
  /** Why it did not leave, in one sentence; null where the mail server took it. */
  error: Nullable(Type.String()),
})
export type TestMail = Static<typeof TestMail>

const backupStates = ['running', 'verified', 'failed'] as const
export type BackupState = (typeof backupStates)[number]

/** One backup of the database. `verified` means that it was restored once and compared equal. */
export const Backup = Type.Object({
  id: Id,
  state: oneOf(backupStates),
  /** The admin who asked for it; empty for a daily one. */
  requestedBy: Type.String(),
  daily: Type.Boolean(),
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  /** On the worker's disk, or `s3://` and where in the bucket; null once a newer one has taken its place. */
  folder: Nullable(Type.String()),
  sizeBytes: Nullable(Type.Integer()),
  rows: Nullable(Type.Integer()),
  /** What went wrong, of a failed one. */
  error: Nullable(Type.String()),
})
export type Backup = Static<typeof Backup>

/** GET /api/admin/backups: the newest first. */
export const Backups = Type.Object({
  lastVerified: Nullable(Backup),
  backups: Type.Array(Backup),
  /** When the next daily one is due; null when they are switched off. */
  nextAt: Nullable(Timestamp),
  /** That moment has passed: a worker makes it up within a minute. */
  late: Type.Boolean(),
  /** How many of the newest are kept. */
  kept: Type.Integer(),
})
export type Backups = Static<typeof Backups>
