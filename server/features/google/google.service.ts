import { sql } from 'kysely'
import { AppError, badRequest } from '#server/errors.ts'
import { checkPassword } from '#server/features/auth/passwords.ts'
import { findDealer, findDealerByEmail, insertDealer } from '#server/features/dealers/dealers.repository.ts'
import type { Context } from '#server/platform/context.ts'
import type { Limit } from '#server/platform/limits.ts'
import { isSuspendedAt } from '#server/platform/suspension.ts'
import type { GoogleClaims } from './google-claims.ts'
import { openLink, sealLink } from './google-link.ts'
import { findGoogleIdentity, insertGoogleIdentity } from './google.repository.ts'

const linkTries: Limit = { name: 'google-link', max: 5, seconds: 60 }
const linkMs = 10 * 60_000

export type GoogleOutcome =
  | { kind: 'signed-in'; dealerId: string }
  /** An account with this e-mail exists: its password has to be given once before the two are joined. */
  | { kind: 'link'; sealed: string }
  | { kind: 'refused'; reason: 'unverified' | 'suspended' }

/** Who has come back from Google. A new verified e-mail becomes an account without a password. */
export async function resolveGoogle(ctx: Context, claims: GoogleClaims): Promise<GoogleOutcome> {
  const known = await findGoogleIdentity(ctx.db, claims.sub)
  if (known !== undefined) return admit(ctx, known)
  const { email } = claims
  if (claims.email_verified !== true || !email) return { kind: 'refused', reason: 'unverified' }
  const owner = await findDealerByEmail(ctx.db, email)
  if (owner) {
    const link = { subject: claims.sub, dealerId: owner.id, until: ctx.now().getTime() + linkMs }
    return { kind: 'link', sealed: sealLink(ctx.config.secret, link) }
  }
  const dealerId = await ctx.transact(async (tx) => {
    const { id } = await insertDealer(tx, { email, passwordHash: null, name: claims.name?.slice(0, 120) ?? '' })
    await tx
      .updateTable('dealers')
      .set({ emailVerifiedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await insertGoogleIdentity(tx, claims.sub, id)
    return id
  })
  return { kind: 'signed-in', dealerId }
}

async function admit(ctx: Context, dealerId: string): Promise<GoogleOutcome> {
  const dealer = await findDealer(ctx.db, dealerId)
  const suspended = dealer !== undefined && isSuspendedAt(dealer, ctx.now())
  return suspended ? { kind: 'refused', reason: 'suspended' } : { kind: 'signed-in', dealerId }
}

/**
 * Joins the waiting Google sign-in to the account, once its password is given.
 * @throws 400 when nothing waits any more, 401 for a wrong password
 */
export async function linkGoogle(ctx: Context, sealed: string | undefined, password: string): Promise<string> {
  const link = openLink(ctx.config.secret, sealed, ctx.now().getTime())
  if (!link) throw badRequest('This Google sign-in has expired. Continue with Google again')
  await ctx.limiter.consume(linkTries, link.dealerId)
  const dealer = await findDealer(ctx.db, link.dealerId)
  if (!(await checkPassword(dealer?.passwordHash, password))) {
    throw new AppError(401, 'unauthorized', 'This is not the password of that account')
  }
  const admitted = await admit(ctx, link.dealerId)
  if (admitted.kind !== 'signed-in') throw new AppError(403, 'forbidden', 'This account is suspended')
  if ((await findGoogleIdentity(ctx.db, link.subject)) === undefined) {
    await insertGoogleIdentity(ctx.db, link.subject, link.dealerId)
  }
  return link.dealerId
}
