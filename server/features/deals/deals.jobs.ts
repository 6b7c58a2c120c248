import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import { storePdf } from './deal-documents.repository.ts'
import { makeDocument } from './deal-documents.service.ts'
import type { DealJobs } from './deals.events.ts'
import { refreshOpenDeals } from './deals.service.ts'

export const dealsJobs: JobHandlers<DealJobs> = {
  'deal.document': {
    queue: 'default',
    async handle(ctx, { documentId }, run) {
      const made = await makeDocument(ctx, documentId)
      await run.complete(async (tx, emit) => {
        if (made === undefined) return
        await storePdf(tx, documentId, made.pdf)
        await touchInbox(tx, emit, [made.deal.sellerId, made.deal.buyerId], 'deal', made.deal.id)
      })
    },
  },
  'deal.refresh': {
    queue: 'default',
    handle: (_ctx, { dealerId }, run) => run.complete((tx, emit) => refreshOpenDeals(tx, emit, dealerId)),
  },
}
