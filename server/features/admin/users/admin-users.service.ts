import type {
  AdminUser,
  AdminUserChange,
  AdminUsersPage,
  AdminUsersQuery,
  AdmissionVerdict,
  LicenseVerdict,
  ProvenReason,
  ProvenSuspension,
  ProvenUserChange,
  Suspension,
} from '#shared/schemas/admin.ts'
import { isSameEmail } from '#shared/email.ts'
import { Id } from '#shared/values.ts'
import { findsParts } from '#shared/search.ts'
import { refreshFindSellers } from '#server/features/find/refresh-find.service.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { asSubject } from './admin-users.policy.ts'
import { difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import { eraseDealer } from '#server/features/account/account.service.ts'
import { assignAddress } from '#server/features/auth/email-change.service.ts'
import { isUnproven } from '#server/features/auth/auth.policy.ts'
import { endSessions } from '#server/features/auth/auth-sessions.service.ts'
import type { Site } from '#server/features/auth/second-factor/passkeys.service.ts'
import { checkProof, type GivenProof } from '#server/features/auth/second-factor/proof.service.ts'
import { stopAuctionsOf } from '#server/features/auctions/auction-of-post.service.ts'
import { setApiAccess } from '#server/features/billing/billing-admin.service.ts'
import { cancelOfDeletedDealer } from '#server/features/billing/billing-changes.service.ts'
import { admitted, decideAdmission } from '#server/features/dealers/admission.service.ts'
import { restoreBidding } from '#server/features/dealers/bidding.service.ts'
import { deletedName, findDealer, updateDealer } from '#server/features/dealers/dealers.service.ts'
import { decideLicense } from '#server/features/dealers/licenses.service.ts'
import { refreshOpenDeals } from '#server/features/deals/deals.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/database/db.ts'
import { stated } from '#server/platform/http/request-fields.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import { type Scan, searchPage } from '#server/platform/database/text-search.ts'
import type { Emit, Transact } from '#server/platform/database/transact.ts'
import { countUsers, findUser, listUsers, lockAdmins, lockUser } from './admin-users.repository.ts'

const pageSize = 50
const totalMs = 5_000

export interface UsersList {
  page(query: AdminUsersQuery): Promise<AdminUsersPage>
  /** Clears the cached totals. Call this after any change by an admin. */
  forget(): void
}

/** Caches totals until `forget` is called, but never rows. A total older than five seconds is computed again after it is returned. */
export function createUsersList(ctx: Context): UsersList {
  const totals = createSingleFlight<number>(totalMs, { stale: true })
  return {
    async page(query) {
      const limit = query.limit ?? pageSize
      const before = query.cursor ? decodeCursor(Id, query.cursor) : undefined
      const search = query.q?.trim() ?? ''
      const count = () =>
        totals.forceFetch(JSON.stringify([search, query.state]), { context: () => countUsers(ctx.db, query) })
      const list = (scan?: Scan) => listUsers(ctx.db, { ...query, ...(scan && { scan }) }, limit, before)
      // Searches with at least three letters usually match few accounts, so list the rows without counting first.
      const rows =
        search === '' || findsParts(search)
          ? await list()
          : await searchPage(count(), list, (page) => page.length > limit)
      const total = before === undefined && rows.length <= limit ? rows.length : await count()
      const users = rows.slice(0, limit)
      const last = users.at(-1)
      return { users, total, nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null }
    },
    forget: () => totals.clear(),
  }
}

export async function userDetail(ctx: Context, id: string): Promise<AdminUser> {
  const user = await findUser(ctx.db, id)
  if (!user) throw notFound('This dealer')
  return user
}

function suspensionOf({ suspendedAt, suspendedUntil }: AdminUser): object {
  return suspendedAt === null ? { suspended: false } : { suspended: true, until: suspendedUntil }
}

/** @throws 409 if the account is the last active admin, because nobody could appoint a new one */
async function requireOtherAdmin(tx: Tx, id: string, what: string): Promise<void> {
  const admins = await lockAdmins(tx)
  if (admins.length === 1 && admins[0] === id) throw conflict(`The last admin cannot be ${what}`)
}

/** Changes one account and refreshes the dealer's open tabs. @throws 404 if the account does not exist */
async function changeUser(
  ctx: Context,
  id: string,
  work: (tx: Tx, emit: Emit, user: AdminUser) => Promise<void>,
  transact: Transact = ctx.transact,
): Promise<AdminUser> {
  await transact((tx, emit) => changeUserWithin(tx, emit, id, work))
  return userDetail(ctx, id)
}

async function changeUserWithin(
  tx: Tx,
  emit: Emit,
  id: string,
  work: (tx: Tx, emit: Emit, user: AdminUser) => Promise<void>,
): Promise<void> {
  const user = await lockUser(tx, id)
  if (!user) throw notFound('This dealer')
  await work(tx, emit, user)
  await touchInbox(tx, emit, [id], 'profile', id)
}

/** A new role or email address requires proof of identity: the owner of a new address could take over the account. */
const needsProof = (user: AdminUser, { role, email }: AdminUserChange): boolean =>
  (role !== undefined && role !== user.role) || (email !== undefined && !isSameEmail(email, user.email))

/** @throws 409 if the account is the last admin, or if its email address is unconfirmed and the account may belong to somebody else */
async function requireMayChangeRole(tx: Tx, { id, role }: AdminUser): Promise<void> {
  if (role === 'admin') await requireOtherAdmin(tx, id, 'given another role')
  const account = await findDealer(tx, id)
  if (account !== undefined && isUnproven(account))
    throw conflict('This dealer has not confirmed their email yet, so the account could belong to somebody else')
}

/**
 * Edits an account. A new role or email address ends all sessions and requires proof of identity from the admin.
 * @throws 404 if the account does not exist; 403 if that proof is missing or wrong; 409 if the address is taken, the address of the admin's
 * own account would change, or the last admin or an account with an unconfirmed address would get a new role
 */
export async function editUser(
  ctx: Context,
  by: By,
  id: string,
  { proof, ...input }: ProvenUserChange,
  site: Site,
): Promise<AdminUser> {
  const { name, dealershipName, dealershipType, email, phone, city, state, role } = input
  const wanted = stated({ name, dealershipName, dealershipType, email, phone, city, state, role })
  const proven = needsProof(await userDetail(ctx, id), input)
    ? await checkProof(ctx, by.actor, { proof, site })
    : undefined
  const edit = async (tx: Tx, emit: Emit, user: AdminUser) => {
    if (proven === undefined && needsProof(user, input))
      throw conflict('This account was just changed. Reload the page and try again')
    const { before, after, changed } = difference(user, wanted)
    if (!changed) return
    if (after['role']) await requireMayChangeRole(tx, user)
    if (email !== undefined && !isSameEmail(email, user.email)) {
      if (id === by.actor.dealerId) throw conflict('Change your own email under Profile Edit')
      await assignAddress(tx, emit, user, email)
    }
    // A dealer who becomes staff needs no approval.
    await updateDealer(tx, id, { ...after, ...(role !== undefined && role !== 'dealer' && admitted) })
    if (after['role']) await endSessions(tx, emit, id)
    await recordAct(tx, by, { action: 'user.edit', subject: asSubject(user), before, after })
  }
  try {
    return await changeUser(ctx, id, edit, proven?.change)
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') throw conflict('Another account uses this email')
    throw error
  }
}

/** Returns undefined for dealers, who need no proof. @throws 404 if the account does not exist; 403 if proof is missing or wrong */
async function proofForStaff(ctx: Context, by: By, id: string, given: GivenProof) {
  const { role } = await userDetail(ctx, id)
  return role === 'dealer' ? undefined : checkProof(ctx, by.actor, given)
}

/** @throws 403 if the account belongs to staff and the admin's proof of identity is missing; the errors of {@link suspendWithin} */
export async function suspendUser(
  ctx: Context,
  by: By,
  id: string,
  { proof, ...suspension }: ProvenSuspension,
  site: Site,
): Promise<AdminUser> {
  const proven = await proofForStaff(ctx, by, id, { proof, site })
  const transact: Transact = proven?.change ?? ctx.transact
  const isProven = proven !== undefined
  await transact((tx, emit) => suspendWithin({ tx, emit, now: ctx.now(), isProven }, by, id, suspension))
  return userDetail(ctx, id)
}

/**
 * @param isProven true if the admin has proven their identity, which is required to suspend staff
 * @throws 400 if `until` is not in the future; 404 if the account does not exist; 409 if it is the admin's own account, the last admin, or
 * a staff account and `isProven` is false
 */
export async function suspendWithin(
  { tx, emit, now, isProven = false }: { tx: Tx; emit: Emit; now: Date; isProven?: boolean },
  by: By,
  id: string,
  { reason, until }: Suspension,
): Promise<void> {
  if (id === by.actor.dealerId) throw conflict('You cannot suspend yourself')
  const end = until === null ? null : new Date(until)
  if (end && end <= now) throw badRequest('The end date must be in the future', { fields: ['until'] })
  await changeUserWithin(tx, emit, id, async (_tx, _emit, user) => {
    if (user.role === 'admin') await requireOtherAdmin(tx, id, 'suspended')
    if (user.role !== 'dealer' && !isProven)
      throw conflict('This account belongs to staff. Suspend it on the Users screen')
    await updateDealer(tx, id, { suspendedAt: now, suspendedUntil: end, suspendedReason: reason })
    await refreshFindSellers(tx, [id])
    await stopAuctionsOf(tx, emit, id, 'its seller cannot sell right now')
    await refreshOpenDeals(tx, emit, id)
    if (end) await emit.job('deal.refresh', { dealerId: id }, { runAt: end })
    await endSessions(tx, emit, id, { code: 'suspended' })
    const after = { suspended: true, until }
    await recordAct(tx, by, {
      action: 'user.suspend',
      subject: asSubject(user),
      reason,
      before: suspensionOf(user),
      after,
    })
  })
}

export async function reinstateUser(ctx: Context, by: By, id: string, reason: string | undefined): Promise<AdminUser> {
  return changeUser(ctx, id, async (tx, emit, user) => {
    if (user.suspendedAt === null) throw conflict('This dealer is not suspended')
    await updateDealer(tx, id, { suspendedAt: null, suspendedUntil: null, suspendedReason: null })
    await refreshFindSellers(tx, [id])
    await refreshOpenDeals(tx, emit, id)
    const before = { ...suspensionOf(user), reason: user.suspendedReason }
    const after = { suspended: false }
    await recordAct(tx, by, { action: 'user.reinstate', subject: asSubject(user), reason, before, after })
  })
}

/** Lets a dealer bid again after too many canceled wins. @throws 404 if the account does not exist; 409 if bidding is not stopped */
export async function restoreUserBidding(
  ctx: Context,
  by: By,
  id: string,
  reason: string | undefined,
): Promise<AdminUser> {
  return changeUser(ctx, id, async (tx, emit, user) => restoreBidding(tx, emit, by, asSubject(user), reason))
}

/** @throws 404 if the account does not exist; 403 if it is staff's and proof is missing; 409 if it is the admin's own or the last admin */
export async function deleteUser(
  ctx: Context,
  by: By,
  id: string,
  { reason, proof }: ProvenReason,
  site: Site,
): Promise<void> {
  if (id === by.actor.dealerId) throw conflict('You cannot delete yourself')
  const proven = await proofForStaff(ctx, by, id, { proof, site })
  // Use up the one-time code before calling the payment provider, because that call cannot be undone.
  await proven?.change((tx) => requireOtherAdmin(tx, id, 'deleted'))
  await cancelOfDeletedDealer(ctx, id)
  await ctx.transact(async (tx, emit) => {
    const user = await lockUser(tx, id)
    if (!user) throw notFound('This dealer')
    if (user.role === 'admin') await requireOtherAdmin(tx, id, 'deleted')
    await eraseDealer(tx, emit, ctx.onLeaving, id)
    // Omit the name, because audit entries can never be deleted.
    await recordAct(tx, by, { action: 'user.delete', subject: { kind: 'user', id, name: deletedName }, reason })
  })
}

/** @throws 404 if the account does not exist; 409 if API access would not change */
export async function changeApiAccess(ctx: Context, by: By, id: string, granted: boolean): Promise<AdminUser> {
  return changeUser(ctx, id, async (tx, emit, user) => setApiAccess(tx, emit, by, asSubject(user), granted))
}

/** @throws 404 if the account does not exist; 400 if a rejection has no reason; the errors of {@link decideLicense} */
export async function judgeLicense(
  ctx: Context,
  by: By,
  id: string,
  { verdict, reason = '', submittedAt }: LicenseVerdict,
): Promise<AdminUser> {
  if (verdict === 'rejected' && reason === '')
    throw badRequest('Enter a reason for the rejection', { fields: ['reason'] })
  return changeUser(ctx, id, async (tx, emit, user) =>
    decideLicense(tx, emit, by, asSubject(user), { verdict, reason, submittedAt }),
  )
}

/** @throws 404 if the account does not exist; 400 if a decline has no reason; the errors of {@link decideAdmission} */
export async function judgeAdmission(
  ctx: Context,
  by: By,
  id: string,
  { verdict, reason = '' }: AdmissionVerdict,
): Promise<AdminUser> {
  if (verdict === 'declined' && reason === '')
    throw badRequest('Enter a reason for declining the dealer', { fields: ['reason'] })
  return changeUser(ctx, id, async (tx, emit, user) =>
    decideAdmission(tx, emit, by, asSubject(user), { verdict, reason }),
  )
}
