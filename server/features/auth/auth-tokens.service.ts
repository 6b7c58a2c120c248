import { randomBytes } from 'node:crypto'
import { isSameEmail } from '#shared/email.ts'
import { badRequest } from '#server/errors.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { MailRun } from '#server/platform/jobs.ts'
import {
  extendToken,
  findTokenOwner,
  insertToken,
  removeIdentities,
  removeToken,
  removeTokens,
  type TokenKind,
} from './auth.repository.ts'

/** What proves that a mailed link was opened in time and for the first time. */
export interface OpenedLink {
  /** The account, locked until the transaction ends. */
  dealer: NonNullable<Awaited<ReturnType<typeof lockDealer>>>
  /** The address that the link was sent to. */
  email: string
}

/** What every link says that is too old, was used, or was never sent. */
export const deadLink = () => badRequest('This link has expired or was already used. Request a new one')

/** The secret of a link that works once and for so many minutes; earlier links of the kind stop working. */
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
 * The same for the mail that this run writes: each of its tries has one and the same link. Undefined where an earlier try may have
 * brought the link, and it was used or has given way to another one since: then there is nothing more to mail.
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
 * Uses the link up, if what the caller does with it commits. A link opens nothing once the account has another address
 * than the one it was sent to; that of a new address is sent to where the account is going.
 * @throws 400 for a dead link
 */
export async function redeemLink(tx: Tx, kind: TokenKind, secret: string): Promise<OpenedLink> {
  const dealerId = await findTokenOwner(tx, kind, secret)
  const dealer = dealerId === undefined ? undefined : await lockDealer(tx, dealerId)
  // Under the lock: what ends all links of the account has it, too.
  const link = dealer && (await removeToken(tx, kind, secret))
  if (!dealer || !link || (kind !== 'change' && !isSameEmail(link.email, dealer.email))) throw deadLink()
  return { dealer, email: link.email }
}

/** No link that was mailed for this account works any more. */
export const dropLinks = (tx: Tx, dealerId: string): Promise<void> => removeTokens(tx, dealerId)

/** Nobody signs in to this account by way of another provider any more. */
export const dropIdentities = (tx: Tx, dealerId: string): Promise<void> => removeIdentities(tx, dealerId)
