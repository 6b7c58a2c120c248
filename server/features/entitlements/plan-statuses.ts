import type { SubscriptionStatus } from '#shared/schemas/billing.ts'

/** Statuses in which the dealer has a plan, whether paid or owed. */
export const liveStatuses = ['active', 'past_due', 'unpaid', 'trialing'] as const satisfies SubscriptionStatus[]
