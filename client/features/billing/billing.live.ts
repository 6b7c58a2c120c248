import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'
import { billingQuery } from './billing.api.ts'

/** Refetches the plan and the invoices after the payment provider has changed the subscription. */
export const billingInbox = {
  subscription: (cache) => {
    void cache.invalidateQueries({ queryKey: mySubscriptionQuery().queryKey })
    void cache.invalidateQueries({ queryKey: billingQuery().queryKey })
  },
} satisfies InboxHandlers
