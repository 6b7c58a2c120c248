import type { Context } from '#server/platform/process/context.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { updateProven } from '#server/platform/session/session.repository.ts'
import { deadLink, redeemLink } from './auth-tokens.service.ts'

const mailsPerAccount: Limit = { name: 'proof-mail', max: 5, seconds: 3_600 }
const linkTries: Limit = { name: 'proof-link', max: 20, seconds: 60 }

/** Mails a link to the account's own address. The link proves the session in which it is opened. */
export async function mailProofLink(ctx: Context, actor: Actor): Promise<void> {
  await ctx.limiter.consume(mailsPerAccount, actor.dealerId)
  await ctx.transact(async (_tx, emit) => emit.job('mail.proof', { dealerId: actor.dealerId }))
}

/**
 * Proves only the caller's session, so a thief gains nothing in another session when the owner opens the link.
 * @throws 400 for a dead link and for a link of another account
 */
export async function proveByLink(ctx: Context, actor: Actor, token: string): Promise<void> {
  await ctx.limiter.consume(linkTries, actor.dealerId)
  await ctx.transact(async (tx) => {
    const { dealer } = await redeemLink(tx, 'prove', token)
    if (dealer.id !== actor.dealerId) throw deadLink()
    await updateProven(tx, dealer.id, Buffer.from(actor.sessionId, 'hex'))
  })
}
