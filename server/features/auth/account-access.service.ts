import type { AccessChanged } from '#shared/schemas/account.ts'
import { isSameEmail } from '#shared/email.ts'
import { unauthorized } from '#server/errors.ts'
import { listKeys, revokeAllKeys } from './api-keys/api-keys.repository.ts'
import { endSessions } from './auth-sessions.service.ts'
import { dropLinks, issueLink, redeemLink } from './auth-tokens.service.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { hasSession } from '#server/platform/session/session.repository.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import type { AccessChange } from './auth.events.ts'
import { removeEmailChange } from './email-change.repository.ts'

const revokeMinutes = 15
const linkTries: Limit = { name: 'keys-link', max: 20, seconds: 60 }

interface Account {
  id: string
  email: string
}

/** Ends sessions and revokes emailed links and a pending new address, but not API keys. The caller must lock the account. */
export async function endAllUnderWay(tx: Tx, emit: Emit, account: Account, what: AccessChange): Promise<void> {
  await dropLinks(tx, account.id)
  await removeEmailChange(tx, account.id)
  await endSessions(tx, emit, account.id)
  await emit.job('mail.accessChanged', { to: account.email, what })
}

/** Lists the API keys that remain valid after an access change. If there are any, also creates a link that revokes all of them. */
export async function remainingKeys(tx: Tx, account: Account): Promise<AccessChanged> {
  const apiKeys = await listKeys(tx, account.id)
  return { apiKeys, revokeToken: apiKeys.length > 0 ? await issueLink(tx, 'keys', account, revokeMinutes) : null }
}

/** Revokes all API keys of the account that received the link. @throws 400 if the link was used or is older than 15 minutes */
export async function revokeKeysByLink(ctx: Context, token: string, address: string): Promise<void> {
  await ctx.limiter.consume(linkTries, address)
  await ctx.transact(async (tx) => {
    const { dealer } = await redeemLink(tx, 'keys', token)
    await revokeAllKeys(tx, dealer.id)
  })
}

/** Locks an account after an authorization check. @throws 401 if its password, address or session has changed since the check */
export async function lockAsChecked(tx: Tx, actor: Actor, checked: { email: string; passwordHash: string | null }) {
  const dealer = await lockDealer(tx, actor.dealerId)
  const isUnchanged =
    dealer !== undefined &&
    dealer.passwordHash === checked.passwordHash &&
    isSameEmail(dealer.email, checked.email) &&
    (await hasSession(tx, actor.dealerId, Buffer.from(actor.sessionId, 'hex')))
  if (!isUnchanged) throw unauthorized()
  return dealer
}
