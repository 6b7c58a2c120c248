import { sql } from 'kysely'
import type { DealerProfile, ProfileDraft } from '#shared/schemas/onboarding.ts'
import type { Db } from '#server/platform/db.ts'

export async function findOnboarding(db: Db, dealerId: string) {
  return db.selectFrom('onboarding').selectAll().where('dealerId', '=', dealerId).executeTakeFirst()
}

/** Merged into what is there, so that two tabs lose nothing of each other's. */
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

/** @returns the dealer's row after the change */
export async function updateProfile(db: Db, dealerId: string, profile: Omit<DealerProfile, 'email'>) {
  return db
    .updateTable('dealers')
    .set({
      name: `${profile.firstName} ${profile.lastName}`,
      phone: profile.phone,
      address: profile.address,
      city: profile.city,
      state: profile.state,
      zip: profile.zipCode,
      country: profile.country,
      dealershipName: profile.dealershipName,
      dealershipType: profile.dealershipType,
      auctionAccessNumber: profile.auctionAccessNumber,
      dealership5MilNumber: profile.dealership5MilNumber,
      profileType: profile.profileType,
      buysCanadianVehicles: profile.buysCanadianVehicles,
      profileCompletedAt: sql<Date>`coalesce(profile_completed_at, now())`,
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', dealerId)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
