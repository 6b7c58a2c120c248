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
  /** Locked until the transaction ends. */
  dealer: NonNullable<Awaited<ReturnType<typeof lockDealer>>>
  email: string
}

/** Error for a link that is expired, used or unknown. */
export const deadLink = () => badRequest('This link has expired or was already used. Request a new one')

/** Creates a single-use link and revokes earlier links of the kind. Returns its secret. */
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
 * Like {@link issueLink}, but with the same secret on every retry of the mail job. Returns undefined if an earlier attempt
 * may have sent the link and it was used or replaced since; then there is nothing to mail.
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

/** Consumes a link sent to the account's current address (`change` links: the new one). @throws 400 for a dead link */
export async function redeemLink(tx: Tx, kind: TokenKind, secret: string): Promise<OpenedLink> {
  const dealerId = await findTokenOwner(tx, kind, secret)
  const dealer = dealerId === undefined ? undefined : await lockDealer(tx, dealerId)
  // Under the lock, which also guards {@link dropLinks}.
  const link = dealer && (await removeToken(tx, kind, secret))
  if (!dealer || !link || (kind !== 'change' && !isSameEmail(link.email, dealer.email))) throw deadLink()
  return { dealer, email: link.email }
}

export const dropLinks = (tx: Tx, dealerId: string): Promise<void> => removeTokens(tx, dealerId)

/** Unlinks the account from all external sign-in providers. */
export const dropIdentities = (tx: Tx, dealerId: string): Promise<void> => removeIdentities(tx, dealerId)
