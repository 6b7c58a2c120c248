import type { Config } from '#server/config/config.ts'
import { auctionsJobs, auctionsSchedules } from './features/auctions/auctions.jobs.ts'
import { laneSchedules } from './features/lane/lane.jobs.ts'
import type { JobPayloads } from './events.ts'
import { retentionSchedules } from './features/admin/retention.service.ts'
import { dealsJobs } from './features/deals/deals.jobs.ts'
import { authJobs, authSchedules } from './features/auth/auth.jobs.ts'
import { findSchedules } from './features/find/find.jobs.ts'
import { backupsJobs, backupsSchedules } from '#server/features/admin/backups/backups.jobs.ts'
import { billingJobs } from './features/billing/billing.jobs.ts'
import { accountJobs, accountSchedules } from './features/account/account.jobs.ts'
import { savedJobs } from './features/saved/saved.jobs.ts'
import { notificationsJobs, notificationsSchedules } from './features/notifications/notifications.jobs.ts'
import { chatsJobs } from '#server/features/messaging/messaging.jobs.ts'
import { postEditsSchedules } from '#server/features/posts/post-lifetime.service.ts'
import { postsJobs, postsSchedules } from './features/posts/posts.jobs.ts'
import { pushJobs } from './features/push/push.jobs.ts'
import { demoSchedules } from './features/demo/demo.jobs.ts'
import { contactJobs, newsletterJobs } from '#server/features/site/site.jobs.ts'
import { opsSchedules } from '#server/features/ops/ops-alarms.service.ts'
import { statusJobs, statusSchedules } from '#server/features/ops/status/status.jobs.ts'
import { spreadsheetsJobs } from '#server/features/posting/posting.jobs.ts'
import { uploadsJobs, uploadsSchedules } from './features/uploads/uploads.jobs.ts'
import { wantedJobs, wantedSchedules } from './features/wanted/wanted.jobs.ts'
import type { JobDefinition, JobHandlers, Schedule } from './platform/jobs/jobs.ts'
import type { QueueName } from './platform/jobs/queue.ts'
import { sweeps } from './retention.ts'
import { onFinishedUpload } from './finished-uploads.ts'

/** Former names of jobs. An older process that runs beside this version, or ran before it, queues jobs by these names. */
const formerJobs = { 'post.summarise': postsJobs['post.summarize'] }

export const jobHandlers: JobHandlers<JobPayloads> = {
  ...formerJobs,
  ...postsJobs,
  ...auctionsJobs,
  ...dealsJobs,
  ...authJobs,
  ...backupsJobs,
  ...billingJobs,
  ...contactJobs,
  ...newsletterJobs,
  ...statusJobs,
  ...notificationsJobs,
  ...accountJobs,
  ...savedJobs,
  ...wantedJobs,
  ...uploadsJobs(onFinishedUpload),
  ...spreadsheetsJobs,
  ...chatsJobs,
  ...pushJobs,
}

/** Jobs of a newer version, left after a rollback, go to the default queue and fail there, so that they do not block the outbox. */
export function queueOf(name: string): QueueName {
  const known: Partial<Record<string, JobDefinition<never>>> = jobHandlers
  return known[name]?.queue ?? 'default'
}

/** Returns false if the configuration turns off the feature to which the job belongs. */
export function isJobOn(name: string, config: Config): boolean {
  const definition = (jobHandlers as Partial<Record<string, JobDefinition<never>>>)[name]
  return definition === undefined || !('isOn' in definition) || (definition.isOn?.(config) ?? true)
}

export const schedules: Schedule[] = [
  ...accountSchedules,
  ...authSchedules,
  ...auctionsSchedules,
  ...laneSchedules,
  ...statusSchedules,
  ...notificationsSchedules,
  ...uploadsSchedules,
  ...postEditsSchedules,
  ...postsSchedules,
  ...backupsSchedules,
  ...demoSchedules,
  ...retentionSchedules(sweeps),
  ...opsSchedules,
  ...wantedSchedules,
  ...findSchedules,
]
