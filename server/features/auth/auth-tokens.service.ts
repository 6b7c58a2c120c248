import { randomBytes } from 'node:crypto'
import { isSameEmail } from '#shared/email.ts'
import { badRequest } from '#server/errors.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { MailRun } from '#server/platform/jobs/jobs.ts'
import {
  extendToken,
  findTokenOwner,
  insertToken,
  removeIdentities,
  removeToken,
  removeTokens,
  type TokenKind,
} from './auth.repository.ts'

export interface OpenedLink {
  /** The dealer's row is locked until the transaction ends. */
  dealer: NonNullable<Awaited<ReturnType<typeof lockDealer>>>
  email: string
}

/** Creates the error for a link that is expired, used or unknown. */
export const deadLink = () => badRequest('This link has expired or was already used. Request a new one')

/** Creates a single-use link and revokes earlier links of the same kind. Returns its secret. */
export async function issueLink(
  tx: Tx,
  kind: TokenKind,
  to: { id: string; email: string },
  minutes: number,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await insertToken(tx, { dealerId: to.id, kind, email: to.email, minutes, secret })
  return secret
}

/**
 * Like {@link issueLink}, but uses the same secret on every retry of the mail job. Returns undefined if an earlier attempt may have sent
 * the link and it has been used or replaced since. In that case, do not send an email.
 */
export async function issueMailedLink(
  tx: Tx,
  { secret, repeated }: MailRun,
  kind: TokenKind,
  to: { id: string; email: string },
  minutes: number,
): Promise<string | undefined> {
  const token = { dealerId: to.id, kind, minutes, secret }
  if (repeated) return (await extendToken(tx, token)) ? secret : undefined
  await insertToken(tx, { ...token, email: to.email })
  return secret
}

/**
 * Uses up a link. It must have been sent to the account's current address, or for a `change` link, to the new address.
 * @throws 400 if the link is no longer valid
 */
export async function redeemLink(tx: Tx, kind: TokenKind, secret: string): Promise<OpenedLink> {
  const dealerId = await findTokenOwner(tx, kind, secret)
  const dealer = dealerId === undefined ? undefined : await lockDealer(tx, dealerId)
  // Remove the token under the lock, so that {@link dropLinks} cannot run at the same time.
  const link = dealer && (await removeToken(tx, kind, secret))
  if (!dealer || !link || (kind !== 'change' && !isSameEmail(link.email, dealer.email))) throw deadLink()
  return { dealer, email: link.email }
}

export const dropLinks = (tx: Tx, dealerId: string): Promise<void> => removeTokens(tx, dealerId)

/** Unlinks the account from all external sign-in providers. */
export const dropIdentities = (tx: Tx, dealerId: string): Promise<void> => removeIdentities(tx, dealerId)
