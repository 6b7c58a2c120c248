import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type PasskeyAnswer,
  type PasskeyOptions,
  type SecondFactorAnswer,
  type SecondFactors,
  signInTries,
  signInWaitsSeconds,
} from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { AppError, unauthorized } from '#server/errors.ts'
import { toCurrentUser } from '#server/features/dealers/dealers.rows.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import { shortLivedCookie, startSession } from '#server/platform/session/session.ts'
import { accountSuspended, isSuspendedAt } from '#server/platform/database/suspension.ts'
import { rememberBrowser } from './known-browser.ts'
import { logFailures } from './security-log.ts'
import {
  acceptPasskey,
  optionsToProve,
  optionsToSignIn,
  ownerOf,
  type Site,
  consumeChallenge,
} from './second-factor/passkeys.service.ts'
import { factorRefusals, refusalOf, readAnswer } from './second-factor/second-factor-answers.service.ts'
import { secondFactorsOf } from './second-factor/second-factor.service.ts'
import {
  findWaitingSignIn,
  insertWaitingSignIn,
  removeWaitingSignIn,
  updateTries,
} from './second-factor/second-factor.repository.ts'

const waitingCookie = 'lanewire_second_factor'

/** Counts attempts even after the password is entered again, which slows down an attacker who knows the password. */
const perAccount: Limit = { name: 'second-factor-account', max: 5, seconds: 60 }
const perAccountHour: Limit = { name: 'second-factor-account-hour', max: 30, seconds: 3_600 }
const perAddress: Limit = { name: 'second-factor-address', max: 20, seconds: 60 }
const optionsPerAddress: Limit = { name: 'passkey-options', max: 30, seconds: 60 }

const expired = () => unauthorized('This sign-in has expired. Start again with your password')

export interface SignInCall {
  request: FastifyRequest
  reply: FastifyReply
}

export interface Entrant {
  id: string
  email: string
  secondFactorAt: Date | null
}

/**
 * Opens a session. If the account has a second factor, returns the factors that can complete the sign-in instead.
 * @throws 401 if the password changed, a second factor was added, or the account is suspended
 */
export async function admit(
  ctx: Context,
  { request, reply }: SignInCall,
  dealer: Entrant,
  passwordHash?: string,
): Promise<SecondFactors | undefined> {
  if (dealer.secondFactorAt === null) {
    await startSession(ctx.db, ctx.config, request, reply, dealer.id, { passwordHash, withoutSecondFactor: true })
    rememberBrowser(ctx, { request, reply }, dealer.email)
    return undefined
  }
  const secret = randomBytes(32).toString('base64url')
  const wait = { secret, dealerId: dealer.id, seconds: signInWaitsSeconds }
  if (!(await insertWaitingSignIn(ctx.db, wait, passwordHash))) throw unauthorized()
  void reply.setCookie(waitingCookie, secret, { ...shortLivedCookie(ctx.config), maxAge: signInWaitsSeconds })
  return secondFactorsOf(ctx, dealer.id)
}

const secretOf = (request: FastifyRequest): string => request.cookies[waitingCookie] ?? ''

async function waitingDealer(db: Db, request: FastifyRequest): Promise<string | undefined> {
  const secret = secretOf(request)
  return secret === '' ? undefined : findWaitingSignIn(db, secret, signInTries)
}

/** Returns the second factors that can complete this browser's pending sign-in, or null if none is pending. */
export async function waitingFactors(ctx: Context, request: FastifyRequest): Promise<SecondFactors | null> {
  const dealerId = await waitingDealer(ctx.db, request)
  return dealerId === undefined ? null : secondFactorsOf(ctx, dealerId)
}

function clearWaitingCookie(ctx: Context, { reply }: SignInCall): void {
  void reply.clearCookie(waitingCookie, shortLivedCookie(ctx.config))
}

export async function cancelSignIn(ctx: Context, call: SignInCall): Promise<void> {
  await removeWaitingSignIn(ctx.db, secretOf(call.request))
  clearWaitingCookie(ctx, call)
}

/** @throws 401 if no sign-in is pending */
export async function optionsToFinish(ctx: Context, { request }: SignInCall, site: Site): Promise<PasskeyOptions> {
  await ctx.limiter.consume(optionsPerAddress, request.address)
  const dealerId = await waitingDealer(ctx.db, request)
  if (dealerId === undefined) throw expired()
  return optionsToProve(ctx, site, 'second', dealerId)
}

/** @throws 401 if the answer is wrong (the fifth ends the sign-in) or no sign-in is pending; 403 if the account is suspended */
export async function finishSignIn(
  ctx: Context,
  call: SignInCall,
  answer: SecondFactorAnswer,
  site: Site,
): Promise<CurrentUser> {
  const { request, reply } = call
  const user = await logFailures(ctx, 'second_factor', request.address, async (attempt) => {
    await ctx.limiter.consume(perAddress, request.address)
    const secret = secretOf(request)
    const dealerId = secret === '' ? undefined : await updateTries(ctx.db, secret, signInTries)
    if (dealerId === undefined) throw attempt.refused('expired', expired())
    attempt.dealerId = dealerId
    await ctx.limiter.consume(perAccount, dealerId, request.address)
    await ctx.limiter.consume(perAccountHour, dealerId, request.address)
    const given = await readAnswer(ctx, dealerId, { answer, site, asked: 'second' })
    return ctx.transact(async (tx, emit) => {
      const dealer = await lockDealer(tx, dealerId)
      if (!dealer || !(await removeWaitingSignIn(tx, secret))) throw attempt.refused('expired', expired())
      if (isSuspendedAt(dealer, ctx.now())) throw attempt.refused('suspended', accountSuspended(dealer.suspendedReason))
      const refusal = await refusalOf(tx, emit, dealer, given)
      if (refusal !== undefined)
        throw attempt.refused(refusal, new AppError(401, 'unauthorized', factorRefusals[refusal], { fields: ['code'] }))
      await startSession(tx, ctx.config, request, reply, dealerId)
      return toCurrentUser(dealer)
    })
  })
  rememberBrowser(ctx, call, user.email)
  clearWaitingCookie(ctx, call)
  return user
}

export async function optionsForAnyPasskey(ctx: Context, address: string, site: Site): Promise<PasskeyOptions> {
  await ctx.limiter.consume(optionsPerAddress, address)
  return optionsToSignIn(ctx, site)
}

/** @throws 401 if the passkey is unknown or rejected; 403 if the account is suspended */
export async function signInByPasskey(
  ctx: Context,
  call: SignInCall,
  answer: PasskeyAnswer,
  site: Site,
): Promise<CurrentUser> {
  const { request, reply } = call
  const refused = () => unauthorized('This passkey does not belong to an account here')
  const user = await logFailures(ctx, 'passkey', request.address, async (attempt) => {
    await ctx.limiter.consume(perAddress, request.address)
    const challenge = await consumeChallenge(ctx, 'sign-in', null, answer)
    const dealerId = await ownerOf(ctx, answer)
    if (dealerId === undefined) throw attempt.refused('unknown_account', refused())
    attempt.dealerId = dealerId
    if (challenge === undefined) throw attempt.refused('expired', refused())
    return ctx.transact(async (tx) => {
      const dealer = await lockDealer(tx, dealerId)
      if (!dealer || !(await acceptPasskey(tx, dealerId, { answer, challenge, site, alone: true })))
        throw attempt.refused('passkey_refused', refused())
      if (isSuspendedAt(dealer, ctx.now())) throw attempt.refused('suspended', accountSuspended(dealer.suspendedReason))
      await startSession(tx, ctx.config, request, reply, dealerId)
      return toCurrentUser(dealer)
    })
  })
  rememberBrowser(ctx, call, user.email)
  clearWaitingCookie(ctx, call)
  return user
}
