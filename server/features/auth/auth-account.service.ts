import type { AccountSecurity, ChangePassword, ResetPassword } from '#shared/schemas/account.ts'
import { AppError, notFound } from '#server/errors.ts'
import { findDealer, findDealerByEmail } from '#server/features/dealers/dealers.repository.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session.ts'
import { listSessions, removeSession, removeSessions } from '#server/platform/session.repository.ts'
import type { Emit } from '#server/platform/transact.ts'
import { hasIdentity, updateEmailVerified, updatePasswordHash } from './auth-tokens.repository.ts'
import { deadLink, redeemLink } from './auth-tokens.service.ts'
import { assertGoodPassword } from './common-passwords.ts'
import { checkPassword, hashPassword } from './passwords.ts'

const mailsPerAddress: Limit = { name: 'auth-mail-address', max: 20, seconds: 3_600 }
const mailsPerAccount: Limit = { name: 'auth-mail-account', max: 5, seconds: 3_600 }
const passwordTries: Limit = { name: 'password-change', max: 5, seconds: 60 }
const linkTries: Limit = { name: 'auth-link', max: 20, seconds: 60 }

/** Mails a link if there is such an account. The caller learns nothing either way: a job is stored in both cases. */
export async function requestReset(ctx: Context, email: string, address: string): Promise<void> {
  await ctx.limiter.consume(mailsPerAddress, address)
  await ctx.limiter.consume(mailsPerAccount, email.trim().toLowerCase())
  const dealer = await findDealerByEmail(ctx.db, email.trim())
  await ctx.transact(async (_tx, emit) => emit.job('mail.reset', { dealerId: dealer?.id ?? null }))
}

/** Sets the new password and ends every session of the account, live connections included. */
export async function resetPassword(ctx: Context, { token, password }: ResetPassword, address: string): Promise<void> {
  await ctx.limiter.consume(linkTries, address)
  const passwordHash = await hashPassword(password)
  await ctx.transact(async (tx, emit) => {
    const link = await redeemLink(tx, 'reset', token)
    // Thrown inside the transaction, so that a refused password leaves the link usable.
    assertGoodPassword(password, link.email)
    await updatePasswordHash(tx, link.dealerId, passwordHash)
    await updateEmailVerified(tx, link.dealerId, link.email)
    await endSessions(tx, emit, link.dealerId)
  })
}

/** The caller's own session is renewed by the route; all others end at once. */
export async function changePassword(ctx: Context, actor: Actor, input: ChangePassword): Promise<void> {
  await ctx.limiter.consume(passwordTries, actor.dealerId)
  const dealer = await findDealer(ctx.db, actor.dealerId)
  if (!dealer) throw notFound('Your account')
  const known = dealer.passwordHash === null || (await checkPassword(dealer.passwordHash, input.currentPassword))
  if (!known)
    throw new AppError(403, 'forbidden', 'Your current password is not right', { fields: ['currentPassword'] })
  assertGoodPassword(input.newPassword, dealer.email)
  const passwordHash = await hashPassword(input.newPassword)
  await ctx.transact(async (tx, emit) => {
    await updatePasswordHash(tx, actor.dealerId, passwordHash)
    await endSessions(tx, emit, actor.dealerId)
  })
}

export async function verifyEmail(ctx: Context, token: string, address: string): Promise<void> {
  await ctx.limiter.consume(linkTries, address)
  await ctx.transact(async (tx) => {
    const link = await redeemLink(tx, 'verify', token)
    if (!(await updateEmailVerified(tx, link.dealerId, link.email))) throw deadLink()
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
    listSessions(ctx.db, actor.dealerId),
  ])
  if (!dealer) throw notFound('Your account')
  return {
    email: dealer.email,
    emailVerified: dealer.emailVerifiedAt !== null,
    hasPassword: dealer.passwordHash !== null,
    googleLinked,
    sessions: sessions.map(({ hash, createdAt, lastSeenAt, userAgent, address }) => ({
      id: hash.toString('hex'),
      current: hash.toString('hex') === actor.sessionId,
      userAgent: userAgent ?? '',
      address: address ?? '',
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
  }
}

/** Ends one of the dealer's own sessions; somebody else's is not there. */
export async function revokeSession(ctx: Context, actor: Actor, sessionId: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if (!(await removeSession(tx, actor.dealerId, Buffer.from(sessionId, 'hex')))) throw notFound('This session')
    emit('session.ended', { dealerId: actor.dealerId, sessionIds: [sessionId], code: 'revoked' })
  })
}

export async function revokeOtherSessions(ctx: Context, actor: Actor): Promise<void> {
  await ctx.transact((tx, emit) => endSessions(tx, emit, actor.dealerId, Buffer.from(actor.sessionId, 'hex')))
}

async function endSessions(tx: Tx, emit: Emit, dealerId: string, except?: Buffer): Promise<void> {
  const ended = await removeSessions(tx, dealerId, except)
  emit('session.ended', { dealerId, sessionIds: ended.map((hash) => hash.toString('hex')), code: 'revoked' })
}
