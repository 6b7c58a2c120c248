import { insertComplimentary } from '#server/features/billing/billing.repository.ts'
import type { Seeder } from './seed.ts'

const monthMs = 30 * 24 * 3_600_000

/** Every demo dealer is on a plan: they post and bid. */
export const seedPlans: Seeder = async (tx, { dealers }, now) => {
  const currentPeriodEnd = new Date(now.getTime() + monthMs)
  await insertComplimentary(
    tx,
    dealers.map(({ id }) => ({ dealerId: id, planId: 'premium', currentPeriodEnd })),
  )
}
