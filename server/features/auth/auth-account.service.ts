import type { AccessChanged, AccountSecurity, ChangePassword, ResetPassword } from '#shared/schemas/account.ts'
import { AppError, notFound } from '#server/errors.ts'
import { endAllUnderWay, remainingKeys, lockAsChecked } from './account-access.service.ts'
import {
  findDealer,
  findDealerByEmail,
  updateDealer,
  updateEmailVerified,
} from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { isUnproven } from './auth.policy.ts'
import { hasIdentity } from './auth.repository.ts'
import { endSession, endSessions, sessionsOf } from './auth-sessions.service.ts'
import { deadLink, redeemLink } from './auth-tokens.service.ts'
import type { Site } from './second-factor/passkeys.service.ts'
import { checkProof, isSessionProven } from './second-factor/proof.service.ts'
import { ownSecondFactor } from './second-factor/second-factor.service.ts'
import { assertGoodPassword, checkPassword, hashPassword } from './passwords.ts'
import { logFailures } from './security-log.ts'
import { removeSignInMethods } from './sign-in-methods.service.ts'

const mailsPerAddress: Limit = { name: 'auth-mail-address', max: 20, seconds: 3_600 }
const mailsPerAccount: Limit = { name: 'auth-mail-account', max: 5, seconds: 3_600 }
const passwordTries: Limit = { name: 'password-change', max: 5, seconds: 60 }
const changesPerAddress: Limit = { name: 'password-change-address', max: 20, seconds: 60 }
const linkTries: Limit = { name: 'auth-link', max: 20, seconds: 60 }

/** Emails a reset link. Does the same work whether or not the account exists, so that the caller cannot tell the difference. */
export async function requestReset(ctx: Context, email: string, address: string): Promise<void> {
  await ctx.limiter.consume(mailsPerAddress, address)
  await ctx.limiter.consume(mailsPerAccount, email.toLowerCase(), address)
  const dealer = await findDealerByEmail(ctx.db, email)
  await ctx.transact(async (_tx, emit) => emit.job('mail.reset', { dealerId: dealer?.id ?? null }))
}

/** Sets a password and ends all sessions. If the email was never confirmed, also removes all other ways to sign in (see `isUnproven`). */
export async function resetPassword(
  ctx: Context,
  { token, password }: ResetPassword,
  address: string,
): Promise<AccessChanged & { email: string }> {
  await ctx.limiter.consume(linkTries, address)
  const passwordHash = await hashPassword(password)
  return ctx.transact(async (tx, emit) => {
    const { dealer, email } = await redeemLink(tx, 'reset', token)
    // Throw inside the transaction, so that the link still works after a rejected password.
    assertGoodPassword(password, email)
    await updateDealer(tx, dealer.id, { passwordHash })
    const isUnconfirmed = isUnproven(dealer)
    if (isUnconfirmed) await removeSignInMethods(tx, dealer.id)
    await updateEmailVerified(tx, dealer.id, email)
    await endAllUnderWay(tx, emit, dealer, isUnconfirmed ? 'password.firstReset' : 'password.reset')
    return { email: dealer.email, ...(await remainingKeys(tx, dealer)) }
  })
}

/** Ends all sessions. @throws 400 if the new password is too short or common; 403 if the current password or proof of identity is wrong */
export async function changePassword(
  ctx: Context,
  actor: Actor,
  { currentPassword = '', newPassword, proof }: ChangePassword,
  { address, site }: { address: string; site: Site },
): Promise<void> {
  await ctx.limiter.consume(changesPerAddress, address)
  await ctx.limiter.consume(passwordTries, actor.dealerId)
  const dealer = await findDealer(ctx.db, actor.dealerId)
  if (!dealer) throw notFound('Your account')
  // Check this first, so that a rejected password does not use up a second factor code.
  assertGoodPassword(newPassword, dealer.email)
  const stored = dealer.passwordHash
  const proven = stored === null ? await checkProof(ctx, actor, { proof, site }) : undefined
  if (stored !== null)
    await logFailures(ctx, 'proof', address, async (attempt) => {
      attempt.dealerId = dealer.id
      if (await checkPassword(stored, currentPassword)) return
      throw attempt.refused(
        'wrong_password',
        new AppError(403, 'forbidden', 'Your current password is incorrect', { fields: ['currentPassword'] }),
      )
    })
  const passwordHash = await hashPassword(newPassword)
  const set = async (tx: Tx, emit: Emit) => {
    await updateDealer(tx, dealer.id, { passwordHash })
    await endAllUnderWay(tx, emit, dealer, 'password.changed')
  }
  await (proven?.change(set) ??
    ctx.transact(async (tx, emit) => {
      await lockAsChecked(tx, actor, dealer)
      await set(tx, emit)
    }))
}

export async function verifyEmail(ctx: Context, token: string, address: string): Promise<void> {
  await ctx.limiter.consume(linkTries, address)
  await ctx.transact(async (tx, emit) => {
    const { dealer, email } = await redeemLink(tx, 'verify', token)
    if (!(await updateEmailVerified(tx, dealer.id, email))) throw deadLink()
    await touchInbox(tx, emit, [dealer.id], 'profile', dealer.id)
  })
}

export async function resendVerification(ctx: Context, actor: Actor): Promise<void> {
  await ctx.limiter.consume(mailsPerAccount, actor.dealerId)
  await ctx.transact(async (_tx, emit) => emit.job('mail.verify', { dealerId: actor.dealerId }))
}

export async function accountSecurity(ctx: Context, actor: Actor): Promise<AccountSecurity> {
  const [dealer, googleLinked, sessions] = await Promise.all([
    findDealer(ctx.db, actor.dealerId),
    hasIdentity(ctx.db, actor.dealerId),
    sessionsOf(ctx.db, actor.dealerId),
  ])
  if (!dealer) throw notFound('Your account')
  const proven = await isSessionProven(ctx, actor, dealer)
  const secondFactor = await ownSecondFactor(ctx, dealer)
  return {
    email: dealer.email,
    emailVerified: dealer.emailVerifiedAt !== null,
    hasPassword: dealer.passwordHash !== null,
    googleLinked,
    proven,
    secondFactor,
    sessions: sessions.map((session) => ({ ...session, current: session.id === actor.sessionId })),
  }
}

/** @throws 404 if the session has ended or belongs to another account */
export async function revokeSession(ctx: Context, actor: Actor, sessionId: string): Promise<void> {
  await ctx.transact((tx, emit) => endSession(tx, emit, actor.dealerId, sessionId))
}

export async function revokeOtherSessions(ctx: Context, actor: Actor): Promise<void> {
  await ctx.transact((tx, emit) =>
    endSessions(tx, emit, actor.dealerId, { except: Buffer.from(actor.sessionId, 'hex') }),
  )
}
