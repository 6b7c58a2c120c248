import { queueMatching } from '#server/features/find/refresh-find.service.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import { removeOldAsks } from './demand/demand.service.ts'
import { matchPost, pauseUnanswered, notifyQueued } from './matching.service.ts'
import { endOverdueOrders } from './orders.service.ts'
import type { WantedJobs } from './wanted.events.ts'

export const wantedJobs: JobHandlers<WantedJobs> = {
  'find.match': { queue: 'default', handle: (ctx, { postId }, run) => matchPost(ctx, postId, run) },
  'find.begun': {
    queue: 'default',
    handle: async (_ctx, { postId }, run) => run.complete((_tx, emit) => queueMatching(emit, postId)),
  },
  'find.digest': {
    queue: 'default',
    handle: async (_ctx, { dealerId }, run) => run.complete((tx, emit) => notifyQueued(tx, emit, dealerId, run.id)),
  },
}

export const wantedSchedules: Schedule[] = [
  { name: 'wanted.expire', everyMs: 60_000, run: endOverdueOrders },
  { name: 'wanted.pauseUnanswered', everyMs: 3_600_000, run: pauseUnanswered },
  { name: 'wanted.removeAsks', everyMs: 3_600_000, run: removeOldAsks },
]
