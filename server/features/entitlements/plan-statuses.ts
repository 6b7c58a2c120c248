import type { SubscriptionStatus } from '#shared/schemas/billing.ts'

/** Statuses in which the dealer has a plan, even if a payment is overdue. */
export const liveStatuses = ['active', 'past_due', 'unpaid', 'trialing'] as const satisfies SubscriptionStatus[]
