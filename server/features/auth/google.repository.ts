import type { Db } from '#server/platform/db.ts'

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
