import Type, { type Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { dealerRoles, Email, Id, Nullable, oneOf, Timestamp } from './dealers.ts'

/** Why an admin does something: kept in the audit log, shown to the dealer where the dealer is told. */
const Reason = Type.String({ minLength: 3, maxLength: 500 })

const adminUserStates = ['active', 'suspended', 'unverified', 'deleted'] as const
export type AdminUserState = (typeof adminUserStates)[number]

/** A row of /admin/users (spec B §3 "Dealer/user (admin list)"). */
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
  licenseNumber: Nullable(Type.String()),
  licenseVerifiedAt: Nullable(Timestamp),
  suspendedAt: Nullable(Timestamp),
  suspendedUntil: Nullable(Timestamp),
  suspendedReason: Nullable(Type.String()),
  createdAt: Timestamp,
})
export type AdminUser = Static<typeof AdminUser>

/** GET /api/admin/users. Newest first; `q` is matched against name, dealership and e-mail without regard to case. */
export const AdminUsersQuery = Type.Object({
  /** Part of a name, dealership or email; with fewer than three letters or digits in a row the beginning of a word. */
  q: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(oneOf(['active', 'suspended', 'unverified'] as const)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type AdminUsersQuery = Static<typeof AdminUsersQuery>

export const AdminUsersPage = Type.Object({
  users: Type.Array(AdminUser),
  total: Type.Integer({ description: 'Of a search counted up to 1,000: 1001 stands for more' }),
  nextCursor: Nullable(Type.String()),
})
export type AdminUsersPage = Static<typeof AdminUsersPage>

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

/** `until` null suspends without an end. */
export const Suspension = Type.Object({ reason: Reason, until: Nullable(Timestamp) })
export type Suspension = Static<typeof Suspension>

export const WithReason = Type.Object({ reason: Reason })
export const WithOptionalReason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) })

export const LicenseVerdict = Type.Object({
  verdict: oneOf(['verified', 'rejected'] as const),
  reason: Type.Optional(Reason),
})
export type LicenseVerdict = Static<typeof LicenseVerdict>

/** GET /api/admin/overview. Money in dollars per month; `share` in percent with one decimal. */
export const AdminOverview = Type.Object({
  monthlyRevenue: Type.Number(),
  annualRevenue: Type.Number(),
  subscribers: Type.Integer(),
  /** How many add-ons they have beside their plans. */
  addOns: Type.Integer(),
  dealers: Type.Integer(),
  pendingDeals: Type.Integer(),
  activePromotions: Type.Integer(),
  unverifiedLicenses: Type.Integer(),
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

const reviewStatuses = ['pending', 'approved', 'rejected'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

/** Spec B §3 "Deal (admin)". `price` in dollars. */
export const AdminDeal = Type.Object({
  id: Id,
  buyerName: Type.String(),
  sellerName: Type.String(),
  vehicleInfo: Type.String(),
  vin: Nullable(Type.String()),
  price: Type.Number(),
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
