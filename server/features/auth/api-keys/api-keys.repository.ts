import { sql, type Selectable } from 'kysely'
import type { ApiKey, NewApiKey } from '#shared/schemas/account.ts'
import type { ApiKeys } from '#server/db/schema.ts'
import { planKept, type Db, type Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

function toApiKey(
  row: Pick<Selectable<ApiKeys>, 'id' | 'name' | 'scope' | 'prefix' | 'createdAt' | 'lastUsedAt'>,
): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    prefix: row.prefix,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}

export async function listKeys(db: Db, dealerId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('apiKeys')
    .selectAll()
    .where('dealerId', '=', dealerId)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(toApiKey)
}

/** The caller must lock the dealer's row, so that no key is added at the same time. */
export async function countKeys(tx: Tx, dealerId: string): Promise<number> {
  const row = await tx
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dealerId', '=', dealerId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertKey(
  tx: Tx,
  dealerId: string,
  key: Omit<NewApiKey, 'proof'> & { prefix: string; hash: Buffer },
): Promise<ApiKey> {
  const row = await tx
    .insertInto('apiKeys')
    .values({ ...key, dealerId })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toApiKey(row)
}

/** Returns false if the key does not exist, is already revoked, or belongs to another dealer. */
export async function revokeKey(db: Db, dealerId: string, id: string): Promise<boolean> {
  const result = await db
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('dealerId', '=', dealerId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function revokeAllKeys(db: Db, dealerId: string): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`now()` })
    .where('dealerId', '=', dealerId)
    .where('revokedAt', 'is', null)
    .execute()
}

export async function removeKeys(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('apiKeys').where('dealerId', '=', dealerId).execute()
}

/** Finds a key unless it is revoked or its dealer is suspended or deleted. */
export async function findWorkingKey(db: Db, hash: Buffer) {
  return db
    .selectFrom('apiKeys')
    .innerJoin('dealers', 'dealers.id', 'apiKeys.dealerId')
    .modifyFront(planKept)
    .select([
      'apiKeys.id',
      'apiKeys.scope',
      'apiKeys.lastUsedAt',
      'dealers.id as dealerId',
      'dealers.name',
      'dealers.profileCompletedAt',
      'dealers.waitingSince',
    ])
    .where('apiKeys.hash', '=', hash)
    .where('apiKeys.revokedAt', 'is', null)
    .where('dealers.deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .executeTakeFirst()
}

export async function touchKey(db: Db, id: string): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
