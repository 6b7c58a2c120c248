import { badRequest } from '#server/errors.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import { insertToken, removeToken, type TokenKind } from './auth-tokens.repository.ts'

/** What proves that a mailed link was opened in time and for the first time. */
export interface OpenedLink {
  dealerId: string
  /** The address that the link was sent to. */
  email: string
}

/** What every link says that is too old, was used, or was never sent. */
export const deadLink = () => badRequest('This link has expired or was used before. Ask for a new one')

/** The secret of a link that works once and for so many minutes; earlier links of the kind stop working. */
export async function issueLink(
  tx: Tx,
  kind: TokenKind,
  to: { id: string; email: string },
  minutes: number,
): Promise<string> {
  return insertToken(tx, { dealerId: to.id, kind, email: to.email, minutes })
}

/** Uses the link up, if what the caller does with it commits. @throws 400 for a dead link */
export async function redeemLink(tx: Db, kind: TokenKind, secret: string): Promise<OpenedLink> {
  const link = await removeToken(tx, kind, secret)
  if (link === undefined) throw deadLink()
  return link
}
