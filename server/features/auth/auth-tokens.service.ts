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
  /** The dealer's row, which is locked until the transaction ends. */
  dealer: NonNullable<Awaited<ReturnType<typeof lockDealer>>>
  email: string
}

export const deadLink = () => badRequest('This link has expired or was already used. Request a new one')

/** Creates a single-use link and revokes earlier links of the same kind. Returns the new link's secret. */
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

/** Creates the link for an email. Every retry of the mail job uses the same secret. Returns undefined if its link no longer works. */
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

/** Uses up a link. Its email address must still be the account's, except for a `change` link. @throws 400 if the link is not valid */
export async function redeemLink(tx: Tx, kind: TokenKind, secret: string): Promise<OpenedLink> {
  const dealerId = await findTokenOwner(tx, kind, secret)
  const dealer = dealerId === undefined ? undefined : await lockDealer(tx, dealerId)
  // Remove the token while the row is locked, so that `dropLinks` cannot run at the same time.
  const link = dealer && (await removeToken(tx, kind, secret))
  if (!dealer || !link || (kind !== 'change' && !isSameEmail(link.email, dealer.email))) throw deadLink()
  return { dealer, email: link.email }
}

export const dropLinks = (tx: Tx, dealerId: string): Promise<void> => removeTokens(tx, dealerId)

export const dropIdentities = (tx: Tx, dealerId: string): Promise<void> => removeIdentities(tx, dealerId)
