import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import type { BillingJobs } from './billing.events.ts'
import { findLiveSubscription } from './billing.repository.ts'
import { payDemoPlan, sendAddress } from './billing-changes.service.ts'
import { endDueGift } from './billing-admin.service.ts'
import { sendRefund } from './refunds.service.ts'

export const billingJobs: JobHandlers<BillingJobs> = {
  'billing.demoPlan': {
    queue: 'default',
    handle: (ctx, { dealerId }) => payDemoPlan(ctx, dealerId),
  },
  'billing.endGift': {
    queue: 'default',
    handle: (_ctx, { dealerId }, run) => run.complete((tx, emit) => endDueGift(tx, emit, dealerId)),
  },
  'billing.address': {
    queue: 'default',
    handle: (ctx, { dealerId }) => sendAddress(ctx, dealerId),
  },
  'billing.refund': {
    queue: 'default',
    async handle(ctx, { refundId }, run) {
      await sendRefund(ctx, refundId)
      await run.complete(async () => undefined)
    },
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
          `Your card was declined for your ${subscription.planName} payment.`,
          'You can keep reading and messaging. Features that need your plan are paused until you pay the open invoice:',
          publicLink(config, '/subscribe'),
        ].join('\n\n'),
      }
    },
  },
}
