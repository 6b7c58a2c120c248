import { setTimeout as pause } from 'node:timers/promises'
import { Worker, UnrecoverableError, type Job } from 'bullmq'
import type { JobPayloads } from '#server/events.ts'
import type { Context } from './context.ts'
import type { JobDefinition, JobHandlers, JobRun, Schedule } from './jobs.ts'
import { failJob, findJob, finishJob } from './outbox.repository.ts'
import { queueNames, queuePrefix, type QueueName } from './queue.ts'

/** A killed worker's job reruns after lock and stall check: about ten seconds. */
const lockDurationMs = 10_000
const stalledIntervalMs = 5_000
/** A queue whose connection broke in the middle of a command is asked again this soon. */
const retryMs = 1_000
/** Closing the queues' connections takes milliseconds, once no job is under way. */
const goodbyeMs = 2_000
/** Jobs per minute are kept for a day. */
const metricMinutes = 24 * 60
/** Jobs at a time in one process. A picture may take a hundred megabytes while it is decoded, so there is one. */
const concurrency: Record<QueueName, number> = { default: 8, mail: 4, media: 1, auctions: 8, schedule: 4 }

export interface Workers {
  close(): Promise<void>
}

async function runJob(
  ctx: Context,
  handlers: JobHandlers<JobPayloads>,
  job: Job<{ id: string }>,
  stopping: AbortSignal,
): Promise<void> {
  const row = await findJob(ctx.db, job.data.id)
  if (row === undefined) return
  const definition = handlers[row.name as keyof JobPayloads] as JobDefinition<unknown> | undefined
  if (definition === undefined) throw new UnrecoverableError(`no handler for ${row.name}`)
  let completed = false
  const complete: JobRun['complete'] = (work) =>
    ctx.transact(async (tx, emit) => {
      completed = true
      if (await finishJob(tx, row)) await work(tx, emit)
    })
  await definition.handle(ctx, row.payload, { id: row.id, attempt: job.attemptsMade + 1, stopping, complete })
  if (!completed) await complete(async () => undefined)
}

/** What comes again anyway need not be tried for long, only past a moment in which Redis or PostgreSQL is late. */
const scheduledTries = { attempts: 3, backoff: { type: 'exponential', delay: 1_000 } }

async function registerSchedules(ctx: Context, schedules: Schedule[]): Promise<void> {
  const known = new Set(schedules.map((schedule) => schedule.name))
  for (const { name, everyMs } of schedules)
    await ctx.queues.schedule.upsertJobScheduler(
      name,
      { every: everyMs },
      { name, opts: { ...scheduledTries, removeOnComplete: true } },
    )
  for (const { key } of await ctx.queues.schedule.getJobSchedulers())
    if (!known.has(key)) await ctx.queues.schedule.removeJobScheduler(key)
}

function openWorker(ctx: Context, name: QueueName, process: (job: Job) => Promise<void>): Worker {
  const worker = new Worker(name, process, {
    connection: ctx.redis.forWorker(),
    prefix: queuePrefix(ctx.config),
    concurrency: concurrency[name],
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    runRetryDelay: retryMs,
    maxStalledCount: 5,
    metrics: { maxDataPoints: metricMinutes },
  })
  worker.on('error', () => undefined)
  worker.on('failed', (job, error) => {
    ctx.log.warn({ err: error, queue: name, job: job?.name, attempt: job?.attemptsMade }, 'a job failed')
    const last =
      job !== undefined && (job.attemptsMade >= (job.opts.attempts ?? 1) || error instanceof UnrecoverableError)
    const id = (job?.data as { id?: string } | undefined)?.id
    if (last && id !== undefined) failJob(ctx.db, id, error.message).catch(() => undefined)
  })
  return worker
}

/** Starts one worker per queue, the outbox sweeper and the repeating work. */
export function startWorkers(ctx: Context, handlers: JobHandlers<JobPayloads>, schedules: Schedule[]): Workers {
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const perform = (name: QueueName, job: Job) => {
    const run =
      name === 'schedule'
        ? Promise.resolve(byName.get(job.name)?.run(ctx))
        : runJob(ctx, handlers, job as Job<{ id: string }>, stopping.signal)
    underWay.add(run)
    return run.finally(() => underWay.delete(run))
  }
  const workedOff = async () => {
    while (underWay.size > 0) await Promise.allSettled(underWay)
  }
  const workers = queueNames.map((name) => openWorker(ctx, name, (job) => perform(name, job)))
  ctx.outbox.startSweeping()
  let registering: Promise<void> | undefined
  const register = () => {
    registering ??= registerSchedules(ctx, schedules)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'schedules wait for Redis'))
      .finally(() => (registering = undefined))
  }
  // Not waited for: without Redis it lasts until that is there, and the process has other work.
  register()
  // After Redis lost its data the schedulers must be put back.
  const again = setInterval(register, 30_000)
  return {
    async close() {
      clearInterval(again)
      stopping.abort(new Error('this process stops: another worker begins the job again'))
      // Asked politely, BullMQ waits for ever for a connection that was lost to say its end (taskforcesh/bullmq#4656). What
      // Redis is not told of a job is made good by whoever takes it up again: its row in the outbox says that it is done.
      const force = !ctx.redis.workersReady()
      const closed = Promise.all(workers.map((worker) => worker.close(force)))
      await Promise.race([closed, workedOff().then(() => pause(goodbyeMs, undefined, { ref: false }))])
      await workedOff()
    },
  }
}
