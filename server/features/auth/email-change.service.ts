import { isSameEmail } from '#shared/email.ts'
import type { AccessChanged, EmailChange } from '#shared/schemas/account.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { followAddress } from '#server/features/billing/billing-changes.service.ts'
import { findDealer, findDealerByEmail, updateDealer, updateEmail } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { endAllUnderWay, remainingKeys, lockAsChecked } from './account-access.service.ts'
import { isUnproven } from './auth.policy.ts'
import { deadLink, dropLinks, redeemLink } from './auth-tokens.service.ts'
import { findEmailChange, removeEmailChange, upsertEmailChange } from './email-change.repository.ts'
import type { Site } from './second-factor/passkeys.service.ts'
import { checkProof } from './second-factor/proof.service.ts'
import { removeSignInMethods } from './sign-in-methods.service.ts'

const changeMails = { name: 'email-change', max: 5, seconds: 3_600 }
const changesPerAddress = { name: 'email-change-address', max: 20, seconds: 3_600 }
const mailsPerMailbox = { name: 'email-change-mailbox', max: 5, seconds: 3_600 }
const linkTries = { name: 'email-change-link', max: 20, seconds: 60 }

const addressTaken = () => conflict('Another account uses this email', { fields: ['email'] })

/**
 * Emails a link to the new address. The account keeps the old address until the link is opened.
 * @throws 403 if proof of identity is missing or wrong; 409 if the address is taken; 400 if it is the current address; 429
 */
export async function requestEmailChange(
  ctx: Context,
  actor: Actor,
  { email, proof }: EmailChange,
  { address, site }: { address: string; site: Site },
): Promise<void> {
  await ctx.limiter.consume(changesPerAddress, address)
  const { owner, change } = await checkProof(ctx, actor, { proof, site })
  if (isSameEmail(email, owner.email)) throw badRequest('This is already your email', { fields: ['email'] })
  await change(async (tx, emit) => {
    // Count after checking the proof. Otherwise, wrong codes could use up this mailbox's limit, which other dealers share.
    await ctx.limiter.consume(changeMails, actor.dealerId)
    await ctx.limiter.consume(mailsPerMailbox, email.toLowerCase(), address)
    if ((await findDealerByEmail(tx, email)) !== undefined) throw addressTaken()
    await upsertEmailChange(tx, actor.dealerId, email)
    await emit.job('mail.emailChange', { dealerId: actor.dealerId })
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
  })
}

type Replaceable = Parameters<typeof isUnproven>[0] & { secondFactorAt: Date | null }

/** True if the address was never confirmed. An account with a second factor always needs proof of identity, so this returns false. */
export const canReplaceEmail = (account: Replaceable): boolean => isUnproven(account) && account.secondFactorAt === null

/**
 * Replaces an unconfirmed address. Needs no proof of identity, so the caller must allow this only during onboarding.
 * @throws 409 if {@link canReplaceEmail} is false or the address is taken; 400 if it is the current one; 401 if the session has ended; 429
 */
export async function replaceUnconfirmedEmail(
  ctx: Context,
  actor: Actor,
  email: string,
  address: string,
): Promise<void> {
  // Count before the lookup, so that nobody can find out in bulk which addresses have an account.
  await ctx.limiter.consume(changesPerAddress, address)
  await ctx.limiter.consume(changeMails, actor.dealerId)
  await ctx.limiter.consume(mailsPerMailbox, email.toLowerCase(), address)
  const found = await findDealer(ctx.db, actor.dealerId)
  if (!found) throw notFound('Your account')
  if (isSameEmail(email, found.email)) throw badRequest('This is already your email', { fields: ['email'] })
  try {
    await ctx.transact(async (tx, emit) => {
      const dealer = await lockAsChecked(tx, actor, found)
      if (!canReplaceEmail(dealer)) throw conflict('Your email is confirmed. Change it in your profile')
      await dropLinks(tx, dealer.id)
      await removeEmailChange(tx, dealer.id)
      await updateEmail(tx, dealer.id, email, false)
      await followAddress(tx, emit, dealer.id)
      await emit.job('mail.verify', { dealerId: dealer.id })
      await touchInbox(tx, emit, [dealer.id], 'profile', dealer.id)
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') throw addressTaken()
    throw error
  }
}

export const readPendingEmail = (ctx: Context, dealerId: string): Promise<string | undefined> =>
  findEmailChange(ctx.db, dealerId)

/** Changes the address and ends all sessions. @throws 400 if the link is expired, used or withdrawn; 409 if the address is taken by now */
export async function confirmEmailChange(
  ctx: Context,
  token: string,
  address: string,
): Promise<AccessChanged & { dealerId: string; email: string }> {
  await ctx.limiter.consume(linkTries, address)
  try {
    return await ctx.transact(async (tx, emit) => {
      const { dealer, email } = await redeemLink(tx, 'change', token)
      if (!(await removeEmailChange(tx, dealer.id, email))) throw deadLink()
      await endAllUnderWay(tx, emit, dealer, 'email.changed')
      await updateEmail(tx, dealer.id, email, true)
      await followAddress(tx, emit, dealer.id)
      await touchInbox(tx, emit, [dealer.id], 'profile', dealer.id)
      return { dealerId: dealer.id, email, ...(await remainingKeys(tx, { id: dealer.id, email })) }
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') throw addressTaken()
    throw error
  }
}

/**
 * Assigns a new address for a dealer who has lost access to their mailbox. Ends all access except the password. The caller must lock the
 * account. Violates `dealers_email_key` if the address is taken.
 */
export async function assignAddress(
  tx: Tx,
  emit: Emit,
  account: { id: string; email: string; invitedUntil: string | null },
  email: string,
): Promise<void> {
  await endAllUnderWay(tx, emit, account, 'email.given')
  await removeSignInMethods(tx, account.id)
  await updateEmail(tx, account.id, email, false)
  await followAddress(tx, emit, account.id)
  // A former Google-only account now has no way to sign in, but must not count as invited.
  if (account.invitedUntil === null) await updateDealer(tx, account.id, { invitedUntil: null })
  await emit.job('mail.addressGiven', { dealerId: account.id })
}
