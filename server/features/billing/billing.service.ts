import type {
  AddOn,
  MySubscription,
  PaymentConfig,
  SubscriptionPlan,
  SubscriptionStatus,
} from '#shared/schemas/billing.ts'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/platform/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { listHeldAddOns, listOfferedAddOns } from './billing-add-ons.repository.ts'
import { findLiveSubscription, listPlans } from './billing.repository.ts'

/** The plans on offer, cheapest first: the one source of every price on every screen. */
export async function offeredPlans(ctx: Pick<Context, 'db'>): Promise<SubscriptionPlan[]> {
  const plans = await listPlans(ctx.db)
  return plans.map(({ id, name, priceCents, features, connectionLimit }) => ({
    id,
    name,
    price: dollarsOf(priceCents),
    features,
    connectionLimit,
  }))
}

/** The add-ons on offer. */
export async function offeredAddOns(ctx: Pick<Context, 'db'>): Promise<AddOn[]> {
  return (await listOfferedAddOns(ctx.db)).map(toAddOn)
}

const toAddOn = ({ priceCents, ...addOn }: Omit<AddOn, 'price'> & { priceCents: number }): AddOn => ({
  ...addOn,
  price: dollarsOf(priceCents),
})

export async function mySubscription(ctx: Pick<Context, 'db'>, dealerId: string): Promise<MySubscription> {
  const found = await findLiveSubscription(ctx.db, dealerId)
  if (!found) return { hasSubscription: false, subscription: null }
  return {
    hasSubscription: true,
    subscription: {
      status: found.status as SubscriptionStatus,
      currentPeriodEnd: found.currentPeriodEnd?.toISOString() ?? null,
      cancelAtPeriodEnd: found.cancelAtPeriodEnd,
      complimentary: found.stripeId === null,
      price: dollarsOf(found.priceCents),
      plan: { id: found.planId, name: found.planName },
      addOns: (await listHeldAddOns(ctx.db, found.id)).map(toAddOn),
    },
  }
}

/** Our own card form exists only where the provider is the local stand-in. */
export function usesStandin(config: Config): boolean {
  return config.demo && config.stripe.secretKey === undefined
}

export function paymentConfig(config: Config): PaymentConfig {
  if (usesStandin(config)) return { form: 'card-form', publishableKey: null }
  return { form: 'element', publishableKey: config.stripe.publishableKey ?? null }
}
