import type { Job, Queue } from 'bullmq'
import type { FailedJob, FailedJobs, JobRefs } from '#shared/schemas/ops.ts'
import { notFound, unavailable } from '#server/errors.ts'
import { type Act, recordAct, type By } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { clearFailure, removeJobs } from '#server/platform/jobs/outbox.repository.ts'
import { listJobs } from './ops.repository.ts'

const shownJobs = 100
/** Number of jobs retried per round, so that one click does not block Redis for long. */
const batch = 500
const firstLine = (text: string) => text.split('\n')[0]?.slice(0, 500) ?? ''

function queueNamed(ctx: Context, name: string): Queue {
  const queue = Object.values(ctx.queues).find((one) => one.name === name)
  if (!queue) throw notFound('This queue')
  return queue
}

const chosen = (ctx: Context, name: string | undefined): Queue[] =>
  name ? [queueNamed(ctx, name)] : Object.values(ctx.queues)

type Row = Pick<Awaited<ReturnType<typeof listJobs>>[number], 'payload' | 'createdAt' | 'failedAt'>

/** Replaces the outbox row of a recurring job, which has none. */
const rowOf = ({ timestamp, finishedOn }: Job): Row => ({
  payload: null,
  createdAt: new Date(timestamp),
  failedAt: finishedOn ? new Date(finishedOn) : null,
})

/** Replaces the address in the payload of an email, which staff must not see. */
function withoutAddress(payload: unknown): unknown {
  const hasAddress = typeof payload === 'object' && payload !== null && 'to' in payload
  return hasAddress ? { ...payload, to: 'hidden' } : payload
}

function toFailedJob(queue: string, job: Job, { payload, createdAt, failedAt }: Row): FailedJob {
  return {
    id: job.id ?? '',
    queue,
    name: job.name,
    error: firstLine(job.failedReason ?? ''),
    // If Redis lost the job after it failed, the job was added again, so its number of attempts is unknown.
    attempts: failedAt && failedAt.getTime() < job.timestamp ? null : job.attemptsMade,
    maxAttempts: job.opts.attempts ?? 1,
    createdAt: createdAt.toISOString(),
    failedAt: failedAt?.toISOString() ?? null,
    payload: withoutAddress(payload),
  }
}

/** Returns the newest failed jobs of one queue or of all queues. @throws 503 while Redis is down */
export async function failedJobs(ctx: Context, queueName: string | undefined): Promise<FailedJobs> {
  const queues = chosen(ctx, queueName)
  const lists = await Promise.all(
    queues.map(async (queue) => ({
      queue,
      jobs: await queue.getFailed(0, shownJobs - 1),
      total: await queue.getFailedCount(),
    })),
  ).catch(() => {
    throw unavailable('Failed jobs unavailable: Redis is not responding')
  })
  const ids = lists.flatMap(({ jobs: found }) => found.map((job) => job.id ?? ''))
  const rows = new Map((await listJobs(ctx.db, ids)).map((row) => [row.id, row]))
  const jobs = lists
    .flatMap(({ queue, jobs: found }) =>
      found.map((job) => toFailedJob(queue.name, job, rows.get(job.id ?? '') ?? rowOf(job))),
    )
    .toSorted((a, b) => (b.failedAt ?? '').localeCompare(a.failedAt ?? ''))
    .slice(0, shownJobs)
  return { jobs, total: lists.reduce((sum, { total }) => sum + total, 0) }
}

async function retry(ctx: Context, jobs: Job[]): Promise<number> {
  await clearFailure(
    ctx.db,
    jobs.map((job) => job.id ?? ''),
  )
  // If somebody else has already retried a job, its retry fails, which is harmless.
  const outcomes = await Promise.allSettled(
    jobs.map((job) => job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })),
  )
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

async function findFailed(ctx: Context, refs: JobRefs['jobs']): Promise<Job[]> {
  const found = await Promise.all(
    refs.map(async ({ queue, id }) => (await queueNamed(ctx, queue).getJob(id)) as Job | undefined),
  )
  const jobs = found.filter((job) => job !== undefined)
  const failed = await Promise.all(jobs.map((job) => job.isFailed()))
  return jobs.filter((_, index) => failed[index])
}

async function record(
  ctx: Context,
  by: By,
  action: Act['action'],
  subject: string,
  change: { before?: object; after: object },
): Promise<void> {
  await ctx.transact((tx) =>
    recordAct(tx, by, { action, subject: { kind: 'queue', id: subject, name: subject }, ...change }),
  )
}

export async function retryJobs(ctx: Context, by: By, refs: JobRefs['jobs']): Promise<number> {
  const jobs = await findFailed(ctx, refs)
  const count = await retry(ctx, jobs)
  await record(ctx, by, 'job.retry', [...new Set(refs.map((ref) => ref.queue))].join(', '), {
    after: { count, ids: jobs.map((job) => job.id) },
  })
  return count
}

export async function retryAllJobs(ctx: Context, by: By, queueName: string | undefined): Promise<number> {
  let count = 0
  for (const queue of chosen(ctx, queueName)) {
    // Count the jobs first. Otherwise, the loop would retry jobs that fail again, possibly forever.
    for (let left = await queue.getFailedCount(); left > 0; left -= batch)
      count += await retry(ctx, await queue.getFailed(0, Math.min(left, batch) - 1))
  }
  await record(ctx, by, 'job.retryAll', queueName ?? 'all queues', { after: { count } })
  return count
}

export async function discardJobs(ctx: Context, by: By, refs: JobRefs['jobs']): Promise<number> {
  const jobs = await findFailed(ctx, refs)
  await removeJobs(
    ctx.db,
    jobs.map((job) => job.id ?? ''),
  )
  await Promise.all(jobs.map((job) => job.remove()))
  await record(ctx, by, 'job.discard', [...new Set(refs.map((ref) => ref.queue))].join(', '), {
    after: { count: jobs.length, jobs: jobs.map((job) => ({ id: job.id, name: job.name })) },
  })
  return jobs.length
}

/** Pauses or resumes a queue. A paused queue starts no jobs but keeps them. Redis stores the setting, so it survives restarts. */
export async function setPaused(ctx: Context, by: By, name: string, paused: boolean): Promise<void> {
  const queue = queueNamed(ctx, name)
  const before = { paused: await queue.isPaused() }
  await (paused ? queue.pause() : queue.resume())
  await record(ctx, by, paused ? 'queue.pause' : 'queue.resume', name, { before, after: { paused } })
}
