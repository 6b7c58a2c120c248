import type { AccountDeletion, EmailChange } from '#shared/schemas/profile.ts'
import { AppError, badRequest, conflict, notFound } from '#server/errors.ts'
import { redeemLink } from '#server/features/auth/auth-tokens.service.ts'
import { checkPassword } from '#server/features/auth/passwords.ts'
import { cancelOnLeaving } from '#server/features/billing/billing-repair.service.ts'
import { findDealer, findDealerByEmail } from '#server/features/dealers/dealers.repository.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'
import { removeSessions } from '#server/platform/session.repository.ts'
import type { Emit } from '#server/platform/transact.ts'
import {
  anonymise,
  collectData,
  findEmailChange,
  removeFromNetworks,
  removePostsOf,
  updateEmail,
  upsertEmailChange,
} from './account.repository.ts'

const passwordTries = { name: 'account-password', max: 5, seconds: 60 }
const changeMails = { name: 'email-change', max: 5, seconds: 3_600 }
const linkTries = { name: 'email-change-link', max: 20, seconds: 60 }
const downloads = { name: 'data-download', max: 5, seconds: 3_600 }

const taken = () => conflict('Another account has this email', { fields: ['email'] })

async function assertOwner(ctx: Context, actor: Actor, password: string | undefined) {
  await ctx.limiter.consume(passwordTries, actor.dealerId)
  const dealer = await findDealer(ctx.db, actor.dealerId)
  if (dealer === undefined) throw notFound('Your account')
  const known = dealer.passwordHash === null || (await checkPassword(dealer.passwordHash, password ?? ''))
  if (!known) throw new AppError(403, 'forbidden', 'Your password is not right', { fields: ['password'] })
  return dealer
}

/**
 * The new address gets a link; until it is opened the account keeps the old one.
 * @throws 403 for a wrong password, 409 for an address that is taken, 400 for the same one
 */
export async function requestEmailChange(ctx: Context, actor: Actor, input: EmailChange): Promise<void> {
  const dealer = await assertOwner(ctx, actor, input.password)
  const email = input.email.trim()
  if (email.toLowerCase() === dealer.email.toLowerCase())
    throw badRequest('This is your email already', { fields: ['email'] })
  await ctx.limiter.consume(changeMails, actor.dealerId)
  if ((await findDealerByEmail(ctx.db, email)) !== undefined) throw taken()
  await ctx.transact(async (tx, emit) => {
    await upsertEmailChange(tx, actor.dealerId, email)
    await emit.job('mail.emailChange', { dealerId: actor.dealerId })
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
  })
}

/** The new address while its link has not been opened. */
export const readPendingEmail = (ctx: Context, dealerId: string): Promise<string | undefined> =>
  findEmailChange(ctx.db, dealerId)

/** The link works once, signed in or not: it proves the address. @throws 400 expired or used, 409 taken meanwhile */
export async function confirmEmailChange(ctx: Context, token: string, address: string): Promise<void> {
  await ctx.limiter.consume(linkTries, address)
  try {
    await ctx.transact(async (tx, emit) => {
      const link = await redeemLink(tx, 'change', token)
      await updateEmail(tx, link.dealerId, link.email)
      await touchInbox(tx, emit, [link.dealerId], 'profile', link.dealerId)
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') throw taken()
    throw error
  }
}

/** All that is kept of the dealer, as one document. */
export async function downloadData(ctx: Context, actor: Actor) {
  await ctx.limiter.consume(downloads, actor.dealerId)
  return { exportedAt: ctx.now().toISOString(), ...(await collectData(ctx.db, actor.dealerId)) }
}

/**
 * Takes a dealer out of the product in the caller's transaction: anonymised, out of every network, posts gone, sessions
 * and sockets ended. Deals stay, so that the other side keeps its books.
 */
export async function eraseDealer(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  const ended = await removeSessions(tx, dealerId)
  emit('session.ended', { dealerId, sessionIds: ended.map((hash) => hash.toString('hex')), code: 'revoked' })
  const others = await removeFromNetworks(tx, dealerId)
  await anonymise(tx, dealerId)
  for (const postId of await removePostsOf(tx, dealerId)) emit('post.removed', { postId, dealerId })
  if (others.length > 0) await touchInbox(tx, emit, others, 'connection', dealerId)
}

/** @throws 403 for a wrong password, 400 when the e-mail typed is not the account's, 409 for an admin */
export async function deleteAccount(ctx: Context, actor: Actor, input: AccountDeletion): Promise<void> {
  const dealer = await assertOwner(ctx, actor, input.password)
  if (dealer.role === 'admin') throw conflict('An admin account is deleted by another admin')
  if (input.email.trim().toLowerCase() !== dealer.email.toLowerCase())
    throw badRequest('Type the email of your account to delete it', { fields: ['email'] })
  await cancelOnLeaving(ctx, actor.dealerId)
  await ctx.transact((tx, emit) => eraseDealer(tx, emit, actor.dealerId))
}
