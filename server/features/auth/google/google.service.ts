import { cutText } from '#shared/cut-text.ts'
import Type, { type Static } from 'typebox'
import { AppError, badRequest, conflict, notFound } from '#server/errors.ts'
import { openSealed, seal } from '#server/platform/signing-and-encryption.ts'
import { isEmail, isSameEmail } from '#shared/email.ts'
import { checkPassword } from '../passwords.ts'
import { logFailures } from '../security-log.ts'
import { initialAdmission } from '#server/features/dealers/admission.service.ts'
import {
  findDealer,
  findDealerByEmail,
  insertDealer,
  lockDealer,
  updateDealer,
  updateEmailVerified,
} from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { isSuspendedAt } from '#server/platform/database/suspension.ts'
import { dropLinks } from '../auth-tokens.service.ts'
import { isInvitedAt } from '../auth.policy.ts'
import { findGoogleIdentity, insertGoogleIdentity, removeGoogleIdentity } from '../auth.repository.ts'
import type { GoogleClaims } from './google-tokens.ts'
import { checkProof, type GivenProof } from '../second-factor/proof.service.ts'
import type { Entrant } from '../sign-in.service.ts'

/** A Google sign-in that waits for the password of the account with the same email address. */
const PendingLink = Type.Object({
  subject: Type.String(),
  dealerId: Type.String(),
  email: Type.String(),
  until: Type.Number(),
})
export type PendingLink = Static<typeof PendingLink>

const purpose = 'google-link'

/** Signed, because the browser stores the link in a cookie. */
const sealLink = (secret: string, link: PendingLink): string => seal(secret, purpose, link)

const openLink = (secret: string, sealed: string | undefined, nowMs: number): PendingLink | undefined =>
  openSealed({ secret, purpose, schema: PendingLink }, sealed, nowMs)

const linkTries: Limit = { name: 'google-link', max: 5, seconds: 60 }
const linkMs = 10 * 60_000

const expired = () => badRequest('This Google sign-in has expired. Continue with Google again')
const wrongPassword = () => new AppError(401, 'unauthorized', 'That is not the password for this account')

export type GoogleOutcome =
  | { kind: 'signed-in'; dealer: Entrant }
  /** An account with this email exists. Its password must be entered once before Google is linked to it. */
  | { kind: 'link'; sealed: string }
  | { kind: 'refused'; reason: 'unverified' | 'suspended' | 'invitation'; dealerId: string | null }

/**
 * Finds the account of a Google sign-in, accepts its invitation, asks to link an account with the same email, or creates an account unless
 * the network requires an invitation. If a concurrent sign-in creates the account first, uses that account.
 */
export async function resolveGoogle(ctx: Context, claims: GoogleClaims): Promise<GoogleOutcome> {
  try {
    return await resolveOnce(ctx, claims)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invitation_required')
      return { kind: 'refused', reason: 'invitation', dealerId: null }
    if (brokenConstraint(error) === undefined) throw error
    return resolveOnce(ctx, claims)
  }
}

async function resolveOnce(ctx: Context, claims: GoogleClaims): Promise<GoogleOutcome> {
  const known = await findGoogleIdentity(ctx.db, claims.sub)
  if (known !== undefined) return admit(ctx, known)
  const { email } = claims
  if (claims.email_verified !== true || email === undefined || !isEmail(email))
    return { kind: 'refused', reason: 'unverified', dealerId: null }
  const owner = await findDealerByEmail(ctx.db, email)
  if (owner && isInvitedAt(owner, ctx.now())) {
    await acceptInvitation(ctx, claims, owner.id)
    return admit(ctx, owner.id)
  }
  if (owner) {
    const link = { subject: claims.sub, dealerId: owner.id, email, until: ctx.now().getTime() + linkMs }
    return { kind: 'link', sealed: sealLink(ctx.config.secret, link) }
  }
  const dealer = await ctx.transact(async (tx) => {
    const name = cutText(claims.name ?? '', 120)
    const made = await insertDealer(tx, {
      email,
      passwordHash: null,
      name,
      emailVerified: true,
      ...(await initialAdmission(tx)),
    })
    await insertGoogleIdentity(tx, claims.sub, made.id)
    return made
  })
  return { kind: 'signed-in', dealer }
}

/** Accepts an invitation without its emailed link, because Google has verified the invited address. */
async function acceptInvitation(ctx: Context, { sub, name }: GoogleClaims, dealerId: string): Promise<void> {
  await ctx.transact(async (tx) => {
    const dealer = await lockDealer(tx, dealerId)
    if (!dealer || !isInvitedAt(dealer, ctx.now())) throw expired()
    await dropLinks(tx, dealerId)
    await updateEmailVerified(tx, dealerId, dealer.email)
    if (dealer.name === '' && name) await updateDealer(tx, dealerId, { name: cutText(name, 120) })
    await insertGoogleIdentity(tx, sub, dealerId)
  })
}

async function admit(ctx: Context, dealerId: string): Promise<GoogleOutcome> {
  const dealer = await findDealer(ctx.db, dealerId)
  if (dealer === undefined) throw notFound('This account')
  const suspended = isSuspendedAt(dealer, ctx.now())
  return suspended ? { kind: 'refused', reason: 'suspended', dealerId } : { kind: 'signed-in', dealer }
}

/** @throws 400 if the sign-in has expired; 401 if the password is wrong; 403 if suspended; 409 if another Google account is linked */
export async function linkGoogle(
  ctx: Context,
  sealed: string | undefined,
  password: string,
  address: string,
): Promise<{ dealer: Entrant; passwordHash: string }> {
  const link = openLink(ctx.config.secret, sealed, ctx.now().getTime())
  if (!link) throw expired()
  const { dealerId } = link
  const passwordHash = await logFailures(ctx, 'google', address, async (attempt) => {
    attempt.dealerId = dealerId
    await ctx.limiter.consume(linkTries, dealerId)
    const stored = (await findDealer(ctx.db, dealerId))?.passwordHash ?? null
    if (!(await checkPassword(stored, password)) || stored === null)
      throw attempt.refused('wrong_password', wrongPassword())
    return stored
  })
  const admitted = await admit(ctx, dealerId)
  if (admitted.kind !== 'signed-in') throw new AppError(403, 'forbidden', 'This account is suspended')
  try {
    await ctx.transact(async (tx) => {
      const dealer = await lockDealer(tx, dealerId)
      if (!dealer || !isSameEmail(dealer.email, link.email)) throw expired()
      if (dealer.passwordHash !== passwordHash) throw wrongPassword()
      const owner = await findGoogleIdentity(tx, link.subject)
      if (owner === undefined) await insertGoogleIdentity(tx, link.subject, dealerId)
      else if (owner !== dealerId) throw expired()
    })
  } catch (error) {
    if (brokenConstraint(error) === 'identities_dealer')
      throw conflict('Another Google account signs in to this one. Unlink it in the settings first')
    throw error
  }
  return { dealer: admitted.dealer, passwordHash }
}

/** @throws 409 if the account has no password; 403 if proof of identity is missing or wrong */
export async function unlinkGoogle(ctx: Context, actor: Actor, given: GivenProof): Promise<void> {
  const owner = await findDealer(ctx.db, actor.dealerId)
  if (owner?.passwordHash === null)
    throw conflict('Set a password before you unlink Google, so that you can still sign in')
  const { change } = await checkProof(ctx, actor, given)
  await change((tx) => removeGoogleIdentity(tx, actor.dealerId))
}
