import { sql } from 'kysely'
import type { AuthTokens } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { hashSecret } from '#server/platform/secrets.ts'

/** Kinds of emailed links. A `keys` link revokes the API keys of an account whose access was changed. */
export type TokenKind = AuthTokens['kind']

/** Stores a link and removes earlier links of the same kind. */
export async function insertToken(
  tx: Tx,
  token: { dealerId: string; kind: TokenKind; email: string; minutes: number; secret: string },
): Promise<void> {
  await tx.deleteFrom('authTokens').where('dealerId', '=', token.dealerId).where('kind', '=', token.kind).execute()
  await tx
    .insertInto('authTokens')
    .values({
      hash: hashSecret(token.secret),
      dealerId: token.dealerId,
      kind: token.kind,
      email: token.email,
      expiresAt: sql<Date>`now() + ${token.minutes} * interval '1 minute'`,
    })
    .execute()
}

/** Returns false if the link was used or replaced. */
export async function extendToken(
  tx: Tx,
  token: { dealerId: string; kind: TokenKind; minutes: number; secret: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('authTokens')
    .set({ expiresAt: sql<Date>`now() + ${token.minutes} * interval '1 minute'` })
    .where('hash', '=', hashSecret(token.secret))
    .where('dealerId', '=', token.dealerId)
    .where('kind', '=', token.kind)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function findTokenOwner(db: Db, kind: TokenKind, secret: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('authTokens')
    .select('dealerId')
    .where('hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.dealerId
}

export async function removeTokens(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('authTokens').where('dealerId', '=', dealerId).execute()
}

export async function removeToken(tx: Tx, kind: TokenKind, secret: string) {
  return tx
    .deleteFrom('authTokens')
    .where('hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['dealerId', 'email'])
    .executeTakeFirst()
}

export async function removeExpiredTokens(db: Db): Promise<void> {
  await db
    .deleteFrom('authTokens')
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()
}

export async function removeIdentities(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('identities').where('dealerId', '=', dealerId).execute()
}

export async function hasIdentity(db: Db, dealerId: string): Promise<boolean> {
  const row = await db.selectFrom('identities').select('subject').where('dealerId', '=', dealerId).executeTakeFirst()
  return row !== undefined
}

export async function findGoogleIdentity(db: Db, subject: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('dealers', 'dealers.id', 'identities.dealerId')
    .select('identities.dealerId')
    .where('identities.provider', '=', 'google')
    .where('identities.subject', '=', subject)
    .where('dealers.deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.dealerId
}

export async function removeGoogleIdentity(db: Db, dealerId: string): Promise<void> {
  await db.deleteFrom('identities').where('dealerId', '=', dealerId).where('provider', '=', 'google').execute()
}

export async function insertGoogleIdentity(db: Db, subject: string, dealerId: string): Promise<void> {
  await db.insertInto('identities').values({ provider: 'google', subject, dealerId }).execute()
}
