import { sql } from 'kysely'
import type { Passkey } from '#shared/schemas/auth.ts'
import type { DB } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export type ChallengePurpose = DB['passkeyChallenges']['purpose']

const challengeMinutes = 5

export async function insertChallenge(
  db: Db,
  { challenge, purpose, dealerId }: { challenge: Buffer; purpose: ChallengePurpose; dealerId: string | null },
): Promise<void> {
  await db
    .insertInto('passkeyChallenges')
    .values({ challenge, purpose, dealerId, expiresAt: sql<Date>`now() + ${challengeMinutes} * interval '1 minute'` })
    .execute()
}

export async function removeChallenge(
  db: Db,
  { challenge, purpose, dealerId }: { challenge: Buffer; purpose: ChallengePurpose; dealerId: string | null },
): Promise<boolean> {
  const result = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('dealerId', 'is not distinct from', dealerId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function listPasskeys(db: Db, dealerId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('dealerId', '=', dealerId)
    .orderBy('id')
    .execute()
  return rows.map(({ createdAt, lastUsedAt, ...passkey }) => ({
    ...passkey,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

export async function listCredentials(db: Db, dealerId: string) {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential', 'transports'])
    .where('dealerId', '=', dealerId)
    .execute()
  return rows.map(({ credential, transports }) => ({ id: credential.toString('base64url'), transports }))
}

export async function findPasskey(db: Db, credential: Buffer) {
  return db.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst()
}

/** @throws if the passkey is already registered, by violating `passkeys_credential_key` */
export async function insertPasskey(
  tx: Tx,
  passkey: {
    dealerId: string
    credential: Buffer
    publicKey: Buffer
    counter: number
    transports: string[]
    name: string
  },
): Promise<void> {
  await tx.insertInto('passkeys').values(passkey).execute()
}

/** Returns false if the counter did not increase (except 0 to 0): the passkey may have been copied (WebAuthn Level 3, 6.1.1). */
export async function updateCounter(tx: Tx, id: string, counter: number): Promise<boolean> {
  const result = await tx
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.lit(counter === 0)])]))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function updatePasskeyName(db: Db, dealerId: string, id: string, name: string): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ name })
    .where('dealerId', '=', dealerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function removePasskey(tx: Tx, dealerId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('passkeys')
    .where('dealerId', '=', dealerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function removePasskeys(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('dealerId', '=', dealerId).execute()
}
