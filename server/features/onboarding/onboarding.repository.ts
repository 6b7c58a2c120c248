import { sql } from 'kysely'
import type { ProfileDraft } from '#shared/schemas/onboarding.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export async function findOnboarding(db: Db, dealerId: string) {
  return db.selectFrom('onboarding').selectAll().where('dealerId', '=', dealerId).executeTakeFirst()
}

/** Merges the patch into the saved progress, so that two tabs do not overwrite each other. */
export async function updateOnboarding(
  db: Db,
  dealerId: string,
  patch: { profile?: ProfileDraft | undefined; planId?: string | null | undefined },
): Promise<void> {
  const profile = JSON.stringify(patch.profile ?? {})
  await db
    .insertInto('onboarding')
    .values({ dealerId, profile, planId: patch.planId ?? null })
    .onConflict((conflict) =>
      conflict.column('dealerId').doUpdateSet({
        profile: sql`onboarding.profile || ${profile}::jsonb`,
        updatedAt: sql<Date>`now()`,
        ...(patch.planId !== undefined && { planId: patch.planId }),
      }),
    )
    .execute()
}

export async function removeOnboarding(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('onboarding').where('dealerId', '=', dealerId).execute()
}
