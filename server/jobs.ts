import type { JobPayloads } from './facts.ts'
import { postsJobs } from './features/posts/posts.jobs.ts'
import type { JobHandlers, Schedule } from './platform/jobs.ts'

/** A handler for every background job. */
export const jobHandlers: JobHandlers<JobPayloads> = { ...postsJobs }

/** Work that repeats in one worker at a time. */
export const schedules: Schedule[] = []
