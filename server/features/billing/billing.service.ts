import type { MySubscription, PaymentConfig, SubscriptionPlan, SubscriptionStatus } from '#shared/schemas/billing.ts'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/platform/context.ts'
import { findLiveSubscription, listPlans } from './billing.repository.ts'

export const toDollars = (cents: number): number => cents / 100

/** The plans on offer, cheapest first: the one source of every price on every screen. */
export async function offeredPlans(ctx: Pick<Context, 'db'>): Promise<SubscriptionPlan[]> {
  const plans = await listPlans(ctx.db)
  return plans.map(({ id, name, priceCents, features, connectionLimit }) => ({
    id,
    name,
    price: toDollars(priceCents),
    features,
    connectionLimit,
  }))
}

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
      price: toDollars(found.priceCents),
      plan: { id: found.planId, name: found.planName },
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
