import type { CurrentUser } from '#shared/schemas/dealers.ts'
import {
  firstBlank,
  requiredProfileFields,
  type DealerProfile,
  type OnboardingPatch,
  type OnboardingProgress,
  type ProfileDraft,
} from '#shared/schemas/onboarding.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { mySubscription, offeredPlans } from '#server/features/billing/billing.service.ts'
import { findDealer, toCurrentUser } from '#server/features/dealers/dealers.repository.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint } from '#server/platform/db.ts'
import { findOnboarding, updateOnboarding, updateProfile } from './onboarding.repository.ts'

/** How far the dealer has come, with everything typed so far. */
export async function onboardingProgress(ctx: Context, dealerId: string): Promise<OnboardingProgress> {
  const [dealer, saved, { hasSubscription }] = await Promise.all([
    findDealer(ctx.db, dealerId),
    findOnboarding(ctx.db, dealerId),
    mySubscription(ctx, dealerId),
  ])
  if (!dealer) throw notFound('Your account')
  const step = dealer.profileCompletedAt === null ? 'profile' : hasSubscription ? 'done' : 'plan'
  return {
    step,
    profile: { email: dealer.email, ...(saved?.profile as ProfileDraft | undefined) },
    planId: saved?.planId ?? null,
  }
}

/** Keeps what has been typed. @throws 404 for a plan that is not on offer */
export async function saveProgress(ctx: Context, dealerId: string, patch: OnboardingPatch): Promise<void> {
  if (patch.planId) {
    const plans = await offeredPlans(ctx)
    if (!plans.some(({ id }) => id === patch.planId)) throw notFound('This plan')
  }
  await updateOnboarding(ctx.db, dealerId, patch)
}

/** Step 1. @throws 400 naming the first blank field, 409 when the e-mail belongs to another account */
export async function completeProfile(ctx: Context, dealerId: string, input: DealerProfile): Promise<CurrentUser> {
  const profile = trimmed(input)
  const blank = firstBlank(requiredProfileFields, profile)
  if (blank) throw badRequest(`Please fill in ${blank.words}`, { fields: [blank.field] })
  try {
    return await ctx.transact(async (tx, emit) => {
      const before = await findDealer(tx, dealerId)
      const dealer = await updateProfile(tx, dealerId, profile)
      if (!before || !dealer) throw notFound('Your account')
      await updateOnboarding(tx, dealerId, { profile })
      if (dealer.emailVerifiedAt === null && before.email !== dealer.email) await emit.job('mail.verify', { dealerId })
      return toCurrentUser(dealer)
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') {
      throw conflict('An account with this email already exists', { fields: ['email'] })
    }
    throw error
  }
}

function trimmed(profile: DealerProfile): DealerProfile {
  const entries = Object.entries(profile).map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value])
  return Object.fromEntries(entries) as DealerProfile
}
