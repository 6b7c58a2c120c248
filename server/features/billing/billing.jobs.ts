import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { JobHandlers } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { BillingJobs } from './billing.events.ts'
import { findLiveSubscription } from './billing.repository.ts'
import { payDemoPlan } from './billing-demo.service.ts'

export const billingJobs: JobHandlers<BillingJobs> = {
  'billing.demoPlan': {
    queue: 'default',
    handle: (ctx, { dealerId }) => payDemoPlan(ctx, dealerId),
  },
  'mail.pastDue': {
    queue: 'mail',
    async write(tx, { dealerId }, { config }) {
      const dealer = await findDealer(tx, dealerId)
      const subscription = await findLiveSubscription(tx, dealerId)
      if (!dealer || subscription?.status !== 'past_due') return undefined
      return {
        to: dealer.email,
        subject: 'Your Lanewire payment did not go through',
        text: [
          `The payment for your ${subscription.planName} was refused by your card.`,
          'You can keep reading and messaging. To post inventory and bid again, pay the open invoice:',
          publicLink(config, '/subscribe'),
        ].join('\n\n'),
      }
    },
  },
}
