import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import type { PushJobs } from './push.events.ts'
import { pushChat, pushNotice, pushToDevice } from './push.service.ts'

export const pushJobs: JobHandlers<PushJobs> = {
  'push.notice': { queue: 'push', handle: pushNotice },
  'push.chat': { queue: 'push', handle: pushChat },
  'push.deliver': { queue: 'push', handle: pushToDevice },
}
