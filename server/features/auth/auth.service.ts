import type { FastifyRequest } from 'fastify'
import type { Login, Signup } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { AppError, conflict, notFound } from '#server/errors.ts'
import { initialAdmission } from '#server/features/dealers/admission.service.ts'
import { toCurrentUser } from '#server/features/dealers/dealers.rows.ts'
import { findDealer, findDealerByEmail, insertDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { removeSession } from '#server/platform/session/session.repository.ts'
import { accountSuspended, isSuspendedAt } from '#server/platform/database/suspension.ts'
import { countPasswordTry } from './known-browser.ts'
import { assertGoodPassword, checkPassword, hashPassword } from './passwords.ts'
import { logFailures } from './security-log.ts'
import type { Entrant } from './sign-in.service.ts'

const signUpsPerAddress = { name: 'signup-address', max: 20, seconds: 60 }

const refused = () => new AppError(401, 'unauthorized', 'Invalid email or password')

/** Checks an email and password. An unknown email and a wrong password get the same response after the same time. */
export async function authenticate(
  ctx: Context,
  { email, password }: Login,
  request: FastifyRequest,
): Promise<{ user: CurrentUser; dealer: Entrant; passwordHash: string }> {
  return logFailures(ctx, 'password', request.address, async (attempt) => {
    await countPasswordTry(ctx, request, email)
    const dealer = await findDealerByEmail(ctx.db, email)
    attempt.dealerId = dealer?.id ?? null
    const matches = await checkPassword(dealer?.passwordHash, password)
    if (!dealer) throw attempt.refused('unknown_account', refused())
    if (dealer.passwordHash === null) throw attempt.refused('no_password', refused())
    if (!matches) throw attempt.refused('wrong_password', refused())
    if (isSuspendedAt(dealer, ctx.now())) throw attempt.refused('suspended', accountSuspended(dealer.suspendedReason))
    return { user: toCurrentUser(dealer), dealer, passwordHash: dealer.passwordHash }
  })
}

/** @throws 400 if the password is too short or common; 403 if the network requires an invitation; 409 if the email is taken */
export async function signUp(ctx: Context, { email, password }: Signup, address: string): Promise<CurrentUser> {
  await ctx.limiter.consume(signUpsPerAddress, address)
  assertGoodPassword(password, email)
  const passwordHash = await hashPassword(password)
  try {
    return await ctx.transact(async (tx, emit) => {
      const dealer = await insertDealer(tx, { email, passwordHash, ...(await initialAdmission(tx)) })
      await emit.job('mail.verify', { dealerId: dealer.id })
      return toCurrentUser(dealer)
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key')
      throw conflict('An account with this email already exists', { fields: ['email'] })
    throw error
  }
}

export async function currentUser(ctx: Context, actor: Actor): Promise<CurrentUser> {
  const dealer = await findDealer(ctx.db, actor.dealerId)
  if (dealer === undefined) throw notFound('Your account')
  return { ...toCurrentUser(dealer), secondFactorDue: actor.withheldRole !== undefined }
}

/** Ends the previous session on a new sign-in, so that a stolen copy of its cookie stops working. */
export async function endPreviousSession(ctx: Context, old: Actor | undefined): Promise<void> {
  if (old !== undefined) await signOut(ctx, old)
}

export async function signOut(ctx: Context, actor: Actor): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    await removeSession(tx, actor.dealerId, Buffer.from(actor.sessionId, 'hex'))
    await emit('session.ended', { dealerId: actor.dealerId, sessionIds: [actor.sessionId], code: 'signed_out' })
  })
}
