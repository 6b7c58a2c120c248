import type { Config } from '#server/config/config.ts'
import type { JobGroup, JobHandlers } from '#server/platform/jobs/jobs.ts'
import type { PushJobs } from './push.events.ts'
import { pushChat, pushNotice, pushToDevice } from './push.service.ts'

const isOn = ({ push }: Config): boolean => push.on

/** Maximum concurrent deliveries per process and push service. A slow service does not block others, nor do retries block new pushes. */
const atOnce = { first: 64, retries: 8 }

const groupOf = ({ host, attempt }: PushJobs['push.deliver']): JobGroup =>
  attempt === 1 ? { name: host, max: atOnce.first } : { name: `${host}, retries`, max: atOnce.retries }

export const pushJobs: JobHandlers<PushJobs> = {
  'push.notice': { queue: 'push', isOn, handle: pushNotice },
  'push.chat': { queue: 'push', isOn, handle: pushChat },
  'push.deliver': { queue: 'push', isOn, group: groupOf, handle: pushToDevice },
}
