import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { hashSecret } from '#server/platform/secrets.ts'

const waitMinutes = 15

export async function findAuthenticator(db: Db, dealerId: string) {
  return db.selectFrom('authenticators').selectAll().where('dealerId', '=', dealerId).executeTakeFirst()
}

/** The new secret becomes active with its first code. The old secret works until then. */
export async function upsertWaitingSecret(tx: Tx, dealerId: string, waiting: Buffer): Promise<void> {
  const waitingUntil = sql<Date>`now() + ${waitMinutes} * interval '1 minute'`
  await tx
    .insertInto('authenticators')
    .values({ dealerId, waiting, waitingUntil })
    .onConflict((conflict) => conflict.column('dealerId').doUpdateSet({ waiting, waitingUntil }))
    .execute()
}

/** Activates the waiting secret and uses up the code that confirmed it. */
export async function updateSecret(tx: Tx, dealerId: string, secret: Buffer, lastStep: number): Promise<void> {
  await tx
    .updateTable('authenticators')
    .set({ secret, lastStep, confirmedAt: sql<Date>`now()`, waiting: null, waitingUntil: null })
    .where('dealerId', '=', dealerId)
    .execute()
}

/** Returns false if this step or a later one was used before. */
export async function updateLastStep(tx: Tx, dealerId: string, step: number): Promise<boolean> {
  const result = await tx
    .updateTable('authenticators')
    .set({ lastStep: step })
    .where('dealerId', '=', dealerId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns true if the authenticator had been confirmed. */
export async function removeAuthenticator(tx: Tx, dealerId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('authenticators')
    .where('dealerId', '=', dealerId)
    .returning('confirmedAt')
    .executeTakeFirst()
  return row !== undefined && row.confirmedAt !== null
}

export async function replaceRecoveryCodes(tx: Tx, dealerId: string, hashes: Buffer[]): Promise<void> {
  await removeRecoveryCodes(tx, dealerId)
  await tx
    .insertInto('recoveryCodes')
    .values(hashes.map((hash) => ({ dealerId, hash })))
    .execute()
}

export async function removeRecoveryCode(tx: Tx, dealerId: string, hash: Buffer): Promise<boolean> {
  const result = await tx
    .deleteFrom('recoveryCodes')
    .where('dealerId', '=', dealerId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function removeRecoveryCodes(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('recoveryCodes').where('dealerId', '=', dealerId).execute()
}

export async function countRecoveryCodes(db: Db, dealerId: string): Promise<number> {
  const row = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('dealerId', '=', dealerId)
    .executeTakeFirstOrThrow()
  return row.left
}

/** Inserts a pending sign-in only if `passwordHash`, if set, is still the account's. Waits for a concurrent password change. */
export async function insertWaitingSignIn(
  db: Db,
  { secret, dealerId, seconds }: { secret: string; dealerId: string; seconds: number },
  passwordHash: string | undefined,
): Promise<boolean> {
  const result = await db
    .insertInto('waitingSignIns')
    .columns(['hash', 'dealerId', 'expiresAt'])
    .expression((eb) => {
      const account = eb
        .selectFrom('dealers')
        .select([
          sql<Buffer>`${hashSecret(secret)}::bytea`.as('hash'),
          'dealers.id',
          sql<Date>`now() + ${seconds} * interval '1 second'`.as('expiresAt'),
        ])
        .where('dealers.id', '=', dealerId)
      return passwordHash === undefined ? account : account.where('dealers.passwordHash', '=', passwordHash).forShare()
    })
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function findWaitingSignIn(db: Db, secret: string, triesMax: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('waitingSignIns')
    .select('dealerId')
    .where('hash', '=', hashSecret(secret))
    .where('tries', '<', triesMax)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.dealerId
}

/** Counts an attempt before it is checked, so that parallel attempts cannot exceed the limit. Returns undefined if none is left. */
export async function updateTries(db: Db, secret: string, triesMax: number): Promise<string | undefined> {
  const row = await db
    .updateTable('waitingSignIns')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('hash', '=', hashSecret(secret))
    .where('tries', '<', triesMax)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('dealerId')
    .executeTakeFirst()
  return row?.dealerId
}

export async function removeWaitingSignIn(db: Db, secret: string): Promise<boolean> {
  const result = await db.deleteFrom('waitingSignIns').where('hash', '=', hashSecret(secret)).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function removeWaits(tx: Tx, dealerId: string): Promise<void> {
  for (const table of ['waitingSignIns', 'passkeyChallenges'] as const)
    await tx.deleteFrom(table).where('dealerId', '=', dealerId).execute()
}

export async function removeExpiredWaits(db: Db): Promise<void> {
  for (const table of ['waitingSignIns', 'passkeyChallenges'] as const)
    await db
      .deleteFrom(table)
      .where('expiresAt', '<', sql<Date>`now()`)
      .execute()
}
