import Type, { type Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { dealerRoles } from '#shared/constants/dealers.ts'
import { Admission, BuyFee, OwnLicense } from './dealers.ts'
import { CaseReport, Person } from './moderation.ts'
import { Deal, reviewStatuses } from './deals.ts'
import { SessionInfo } from './account.ts'
import { Joining, WithProof } from './auth.ts'
import { postStatuses } from './posts.ts'
import { reportKinds } from '#shared/moderation.ts'
import { dealerNoteMax } from '#shared/limits.ts'
import { Email, Id, Nullable, oneOf, Reason, Timestamp } from '#shared/values.ts'

const adminUserStates = ['active', 'suspended', 'unverified', 'deleted'] as const
export type AdminUserState = (typeof adminUserStates)[number]

const AdminLicense = Type.Object({ ...OwnLicense.properties, submittedAt: Nullable(Timestamp) })

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
  /** True if an admin has granted API access, whatever the dealer's plan. */
  apiAccess: Type.Boolean(),
  suspendedAt: Nullable(Timestamp),
  suspendedUntil: Nullable(Timestamp),
  suspendedReason: Nullable(Type.String()),
  /** When the dealer lost the right to bid by canceling too many wins. Null otherwise, and again once an admin restores the right. */
  biddingStoppedAt: Nullable(Timestamp),
  emailVerified: Type.Boolean(),
  profileComplete: Type.Boolean(),
  admission: Admission,
  waitingSince: Nullable(Timestamp),
  declinedReason: Nullable(Type.String()),
  /** When the emailed invitation expires. Null if the invitation was used, or if there was none. */
  invitedUntil: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type AdminUser = Static<typeof AdminUser>

export const AdminUsersQuery = Type.Object({
  /** Part of a name, dealership or email address. Without three letters or digits in a row, it matches only the beginnings of words. */
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
  author: Person,
})
export type FiledReport = Static<typeof FiledReport>

/** The admin page about one dealer. Each list has its newest twenty entries; `notes` has 200. */
export const DealerFile = Type.Object({
  user: AdminUser,
  /** Set if the account was deleted. The other fields remain, because other dealers' records need them. */
  deletedAt: Nullable(Timestamp),
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
  secondFactor: Type.Boolean(),
  sessions: Type.Array(Type.Omit(SessionInfo, ['current'])),
  notes: Type.Array(DealerNote),
})
export type DealerFile = Static<typeof DealerFile>

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

/** PATCH /api/admin/users/{id}. A new email address ends the account's sessions and invalidates emailed links. */
export const AdminUserChange = Type.Partial(Type.Object(Profile))
export type AdminUserChange = Static<typeof AdminUserChange>

/** POST /api/admin/users. Creates an account without a password and emails an invitation to its owner. */
export const NewAdminUser = Type.Object({
  name: Profile.name,
  email: Profile.email,
  dealershipName: Profile.dealershipName,
  dealershipType: Profile.dealershipType,
  role: Profile.role,
})
export type NewAdminUser = Static<typeof NewAdminUser>

export const NewInvitation = Type.Object({ email: Email })
export type NewInvitation = Static<typeof NewInvitation>

/** An invitation that has not been used. Its link expires at `until`. */
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

/** The dealer sees the reason for a declined application. */
export const AdmissionVerdict = Type.Object({
  verdict: oneOf(['approved', 'declined'] as const),
  reason: Type.Optional(Reason),
})
export type AdmissionVerdict = Static<typeof AdmissionVerdict>

export const Suspension = Type.Object({ reason: Reason, until: Nullable(Timestamp) })
export type Suspension = Static<typeof Suspension>

export const WithReason = Type.Object({ reason: Reason })
export const WithOptionalReason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) })

export const ApiAccess = Type.Object({ granted: Type.Boolean() })
export type ApiAccess = Static<typeof ApiAccess>

/** In months. The minimum is longer than the period that any statistic on these logs covers. */
const logMonthsMin = 3
const retentionMonthsMax = 120

/** Null `messageMonths` keeps messages forever. Logs include notifications, ended sessions and failed jobs, but not the audit log. */
export const Retention = Type.Object(
  {
    messageMonths: Nullable(Type.Integer({ minimum: 1, maximum: retentionMonthsMax })),
    logMonths: Type.Integer({ minimum: logMonthsMin, maximum: retentionMonthsMax }),
  },
  { additionalProperties: false },
)
export type Retention = Static<typeof Retention>

export const RetentionState = Type.Object({
  ...Retention.properties,
  ranAt: Nullable(Timestamp),
  removed: Type.Integer(),
})
export type RetentionState = Static<typeof RetentionState>

/**
 * A change of `joining` does not affect accounts that are already waiting. Posting, bidding and offers can require a confirmed
 * email address (`confirmedOnly`), a verified license (`verifiedOnly`) and a paid plan (`planRequired`). `demoPaused` pauses the
 * simulated dealers of a demo.
 */
export const NetworkSettings = Type.Object({
  joining: Joining,
  confirmedOnly: Type.Optional(Type.Boolean()),
  verifiedOnly: Type.Boolean(),
  planRequired: Type.Optional(Type.Boolean()),
  demoPaused: Type.Optional(Type.Boolean()),
  staffSecondFactor: Type.Optional(Type.Boolean()),
  /** Fee that buyers pay in future auctions and offers; null means none. */
  buyFee: Type.Optional(Nullable(BuyFee)),
  stopAfterCancels: Type.Optional(Type.Boolean()),
})
export type NetworkSettings = Static<typeof NetworkSettings>

/** PATCH /api/admin/network. A change of `staffSecondFactor` requires `proof`. */
export const NetworkChange = Type.Object({
  ...Type.Partial(NetworkSettings).properties,
  ...WithProof.properties,
})
export type NetworkChange = Static<typeof NetworkChange>

/** `submittedAt` identifies the submission that was reviewed. `rejected` needs a reason, which the dealer sees. */
export const LicenseVerdict = Type.Object({
  verdict: oneOf(['verified', 'rejected'] as const),
  reason: Type.Optional(Reason),
  submittedAt: Timestamp,
})
export type LicenseVerdict = Static<typeof LicenseVerdict>

/** Amounts are in dollars. `share` is in percent with one decimal. */
export const AdminOverview = Type.Object({
  monthlyRevenue: Type.Number(),
  annualRevenue: Type.Number(),
  subscribers: Type.Integer(),
  gifts: Type.Integer(),
  addOns: Type.Integer(),
  dealers: Type.Integer(),
  pendingDeals: Type.Integer(),
  refundedThisMonth: Type.Number(),
  activePromotions: Type.Integer(),
  unverifiedLicenses: Type.Integer(),
  waitingAccounts: Type.Integer(),
  openReports: Type.Integer(),
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

/** A deal submitted for review. `price` is in dollars; `status` is the admins' verdict. Deals that ended without one are left out. */
export const AdminDeal = Type.Object({
  id: Id,
  buyerId: Id,
  buyerName: Type.String(),
  sellerId: Id,
  sellerName: Type.String(),
  vehicleInfo: Type.String(),
  vin: Nullable(Type.String()),
  price: Type.Number(),
  buyFee: Type.Optional(Type.Number()),
  submittedDate: Timestamp,
  status: oneOf(reviewStatuses),
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

export const TestMail = Type.Object({
  to: Type.String(),
  /** True if the email was written to the server's disk, because SMTP_URL is not set. */
  kept: Type.Boolean(),
  /** Says in one sentence why the email could not be sent. Null if the mail server accepted it. */
  error: Nullable(Type.String()),
})
export type TestMail = Static<typeof TestMail>

const backupStates = ['running', 'verified', 'failed'] as const
export type BackupState = (typeof backupStates)[number]

/** `verified` means that a test restore of the backup matched the original database. */
export const Backup = Type.Object({
  id: Id,
  state: oneOf(backupStates),
  /** Name of the admin who requested the backup. Empty for a daily backup. */
  requestedBy: Type.String(),
  daily: Type.Boolean(),
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  /** Path on the worker's disk, or an `s3://` URL. Null once the backup was removed in favor of newer ones. */
  folder: Nullable(Type.String()),
  sizeBytes: Nullable(Type.Integer()),
  rows: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
})
export type Backup = Static<typeof Backup>

export const Backups = Type.Object({
  lastVerified: Nullable(Backup),
  backups: Type.Array(Backup),
  nextAt: Nullable(Timestamp),
  /** True if the daily backup is overdue. A worker starts an overdue backup within a minute. */
  late: Type.Boolean(),
  kept: Type.Integer(),
})
export type Backups = Static<typeof Backups>

/** Changing the email address or role requires proof of the admin's identity. */
export const ProvenUserChange = Type.Object({ ...AdminUserChange.properties, ...WithProof.properties })
export type ProvenUserChange = Static<typeof ProvenUserChange>

/** Creating an admin or ops account requires proof of the admin's identity. */
export const ProvenNewUser = Type.Object({ ...NewAdminUser.properties, ...WithProof.properties })
export type ProvenNewUser = Static<typeof ProvenNewUser>

export const ProvenSuspension = Type.Object({ ...Suspension.properties, ...WithProof.properties })
export type ProvenSuspension = Static<typeof ProvenSuspension>
export const ProvenReason = Type.Object({ ...WithReason.properties, ...WithProof.properties })
export type ProvenReason = Static<typeof ProvenReason>
