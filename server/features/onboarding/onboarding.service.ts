import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { firstBlank, requiredProfileFields } from '#shared/constants/onboarding.ts'
import type { CompleteProfile, OnboardingPatch, OnboardingProgress, ProfileDraft } from '#shared/schemas/onboarding.ts'
import { refreshFindPlaces } from '#server/features/find/refresh-find.service.ts'
import { badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { canReplaceEmail, replaceUnconfirmedEmail } from '#server/features/auth/email-change.service.ts'
import { hasEverSubscribed, mySubscription, offeredPlans } from '#server/features/billing/billing.service.ts'
import { toCurrentUser } from '#server/features/dealers/dealers.rows.ts'
import { completeProfile as completeDealer, findDealer, lockDealer } from '#server/features/dealers/dealers.service.ts'
import { toOwnLicense } from '#server/features/dealers/licenses.rows.ts'
import { recheckLicense, submitLicense } from '#server/features/dealers/licenses.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { trimmed } from '#server/platform/http/request-fields.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { needsProfile } from './onboarding.policy.ts'
import { findOnboarding, removeOnboarding, updateOnboarding } from './onboarding.repository.ts'

const savings: Limit = { name: 'profile-complete', max: 30, seconds: 3_600 }
const nameMax = 120

function stepOf(hasProfile: boolean, isThrough: boolean): OnboardingProgress['step'] {
  if (!hasProfile) return 'profile'
  return isThrough ? 'done' : 'plan'
}

export async function onboardingProgress(ctx: Context, dealerId: string): Promise<OnboardingProgress> {
  const [dealer, saved, { hasSubscription }, isEstablished] = await Promise.all([
    findDealer(ctx.db, dealerId),
    findOnboarding(ctx.db, dealerId),
    mySubscription(ctx, dealerId),
    hasEverSubscribed(ctx.db, dealerId),
  ])
  if (!dealer) throw notFound('Your account')
  const isThrough = dealer.waitingSince === null && (hasSubscription || !ctx.config.billing)
  const step = stepOf(dealer.profileCompletedAt !== null, isThrough)
  return {
    step,
    // An account that has ever had a plan must prove its identity to change its address.
    emailCorrectable: step !== 'done' && !isEstablished && canReplaceEmail(dealer),
    profile: { ...saved?.profile, ...licenseOf(dealer, saved?.profile), email: dealer.email },
    planId: saved?.planId ?? null,
  }
}

/** Returns the license of the account if the draft has none, because saving the form would remove it. */
function licenseOf(
  dealer: Parameters<typeof toOwnLicense>[0],
  draft: ProfileDraft | undefined,
): Pick<ProfileDraft, 'license'> {
  if ((draft?.license?.number ?? '') !== '' || dealer.licenseNumber === null) return {}
  const { number, state, expiresOn, scan } = toOwnLicense(dealer)
  return { license: { number, state, expiresOn, scan } }
}

/** @throws 409 if the email can no longer be corrected here or the new one is taken; 400 if the email does not change */
export async function correctEmail(ctx: Context, actor: Actor, email: string, address: string): Promise<void> {
  const { emailCorrectable } = await onboardingProgress(ctx, actor.dealerId)
  if (!emailCorrectable) throw conflict('Your email can no longer be corrected here. Change it in your profile')
  await replaceUnconfirmedEmail(ctx, actor, email, address)
}

/** @throws 404 if the plan is not offered */
export async function saveProgress(ctx: Context, dealerId: string, patch: OnboardingPatch): Promise<void> {
  if (patch.planId) {
    const plans = await offeredPlans(ctx)
    if (!plans.some(({ id }) => id === patch.planId)) throw notFound('This plan')
  }
  await updateOnboarding(ctx.db, dealerId, patch)
}

/**
 * Completes the dealer's profile, or changes it if called again. Does not change the address used to sign in (see CompleteProfile).
 * @throws 400 with the first blank field; 403 if the account belongs to staff
 */
export async function completeProfile(
  ctx: Context,
  { dealerId, role }: Actor,
  input: CompleteProfile,
): Promise<CurrentUser> {
  if (!needsProfile(role)) throw forbidden('Staff accounts have no dealer profile')
  await ctx.limiter.consume(savings, dealerId)
  const given = trimmed(input)
  const blank = firstBlank(requiredProfileFields, given)
  if (blank) throw badRequest(`Please fill in ${blank.words}`, { fields: [blank.field] })
  const { email: _email, ...profile } = given
  const { firstName, lastName, zipCode, license, ...others } = profile
  const name = `${firstName} ${lastName}`
  if (name.length > nameMax)
    throw badRequest(`First and last name together can have up to ${nameMax} characters`, {
      fields: ['firstName', 'lastName'],
    })
  return ctx.transact(async (tx, emit) => {
    const before = await lockDealer(tx, dealerId)
    if (!before) throw notFound('Your account')
    await recheckLicense(tx, before, { ...others, name })
    if (license !== undefined) await submitLicense(tx, dealerId, license)
    const dealer = await completeDealer(tx, dealerId, { ...others, name, zip: zipCode })
    if (!dealer) throw notFound('Your account')
    await refreshFindPlaces(tx, dealerId)
    await updateOnboarding(tx, dealerId, { profile })
    await touchInbox(tx, emit, [dealerId], 'profile', dealerId)
    return toCurrentUser(dealer)
  })
}

export const dropOnboarding = (tx: Tx, dealerId: string): Promise<void> => removeOnboarding(tx, dealerId)
