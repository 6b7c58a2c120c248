import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DelayedError, Worker, UnrecoverableError, type Job } from 'bullmq'
import type { JobPayloads } from '#server/events.ts'
import type { Context } from '../process/context.ts'
import { isDatabaseDown } from '../database/db.ts'
import type { JobDefinition, JobGroup, JobHandler, JobHandlers, JobRun, MailJob, Schedule } from './jobs.ts'
import { createMailer, type Mailer, MailServerAway } from '../mail/mail.ts'
import { failJob, findJob, finishJob, prepareJob } from './outbox.repository.ts'
import { queueNames, queuePrefix, type QueueName } from './queue.ts'
import { isRedisDown } from '../redis/redis.ts'
import { StorageAway } from '../storage/storage.ts'

/** If a worker is killed, its job is retried once its lock has expired and a stall check has run: within about 15 seconds. */
const lockDurationMs = 10_000
const stalledIntervalMs = 5_000
/** Milliseconds before a queue is polled again after its connection was lost during a command. */
const retryMs = 1_000
const closeQueuesMs = 2_000
const metricMinutes = 24 * 60
/**
 * Number of jobs that run at once per process. Decoding a photo may take 100 MB, so media jobs run one at a time. Push jobs mostly wait for
 * push services; the groups in push.jobs.ts prevent a hanging service from taking all slots.
 */
const concurrency: Record<QueueName, number> = { default: 8, mail: 4, media: 1, auctions: 8, push: 256, schedule: 4 }

const awayMs = 500
/** Longest retry delay while PostgreSQL, Redis or the storage is down. It is short, so work resumes soon after they are back. */
const storesAwayMaxMs = 30_000
const mailAwayMaxMs = 5 * 60_000
/** How long to keep retrying an email while the mail server is unavailable (RFC 5321, 4.5.4.1). */
const mailPatienceMs = 4 * 24 * 3_600_000

export interface Workers {
  close(): Promise<void>
}

class GroupFull extends Error {}

interface WorkerParts {
  ctx: Context
  busy: Map<string, number>
  handlers: JobHandlers<JobPayloads>
  mailer: Mailer
  stopping: AbortSignal
}

type OutboxJob = Job<{ id: string }>
type Row = NonNullable<Awaited<ReturnType<typeof findJob>>>

const definitionOf = (handlers: JobHandlers<JobPayloads>, name: string) =>
  handlers[name as keyof JobPayloads] as JobDefinition<unknown> | undefined

async function handleJob(
  { ctx, stopping }: WorkerParts,
  definition: JobHandler<unknown>,
  row: Row,
  attempt: number,
): Promise<void> {
  let completed = false
  const complete: JobRun['complete'] = (work) =>
    ctx.transact(async (tx, emit) => {
      completed = true
      if (await finishJob(tx, row)) await work(tx, emit)
    })
  await definition.handle(ctx, row.payload, { id: row.id, attempt, stopping, complete })
  if (!completed) await complete(async () => undefined)
}

async function countMail({ metrics }: Context, sending: Promise<void>): Promise<void> {
  try {
    await sending
    metrics.mails.inc({ outcome: 'sent' })
  } catch (error) {
    metrics.mails.inc({ outcome: error instanceof MailServerAway ? 'away' : 'refused' })
    throw error
  }
}

async function sendMail({ ctx, mailer }: WorkerParts, definition: MailJob<unknown>, row: Row): Promise<void> {
  const { config } = ctx
  const secret = createHmac('sha256', config.secret).update(`mail:${row.id}`).digest('base64url')
  const mail = await ctx.transact(async (tx) => {
    const prepared = await prepareJob(tx, row.id)
    return prepared && definition.write(tx, row.payload, { id: row.id, ...prepared, secret, config, now: ctx.now() })
  })
  if (mail !== undefined) await countMail(ctx, mailer.send(mail, row.id))
  await ctx.transact(async (tx, emit) => {
    if (await finishJob(tx, row)) await definition.sent?.(tx, emit, row.payload)
  })
}

async function runJob(parts: WorkerParts, row: Row, attempt: number): Promise<void> {
  const definition = definitionOf(parts.handlers, row.name)
  if (definition === undefined) throw new UnrecoverableError(`no handler for ${row.name}`)
  if ('write' in definition) return sendMail(parts, definition, row)
  await inGroup(parts, definition.group?.(row.payload), () => handleJob(parts, definition, row, attempt))
}

/** @throws GroupFull if the group already runs the maximum number of jobs */
async function inGroup({ busy }: WorkerParts, group: JobGroup | undefined, run: () => Promise<void>): Promise<void> {
  if (group === undefined) return run()
  const { name, max } = group
  const running = busy.get(name) ?? 0
  if (running >= max) throw new GroupFull(`${max} jobs of ${name} are running`)
  busy.set(name, running + 1)
  try {
    await run()
  } finally {
    const left = (busy.get(name) ?? 1) - 1
    if (left > 0) busy.set(name, left)
    else busy.delete(name)
  }
}

const isDependencyDown = (error: unknown): boolean =>
  isDatabaseDown(error) || isRedisDown(error) || error instanceof StorageAway

/** Returns the retry delay in milliseconds if a dependency is down or the job's group is full, otherwise undefined. */
function unavailableDelayMs(job: OutboxJob, error: unknown): number | undefined {
  const waits = job.attemptsStarted - job.attemptsMade - 1
  const backoffMs = (maxMs: number) => Math.min(awayMs * 2 ** Math.max(0, waits), maxMs)
  if (error instanceof MailServerAway)
    return Date.now() - job.timestamp < mailPatienceMs ? backoffMs(mailAwayMaxMs) : undefined
  return error instanceof GroupFull || isDependencyDown(error) ? backoffMs(storesAwayMaxMs) : undefined
}

async function markFailed({ ctx, handlers }: WorkerParts, row: Row, { message }: Error): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if (!(await failJob(tx, row, message))) return
    const definition = definitionOf(handlers, row.name)
    if (definition !== undefined && 'gaveUp' in definition) await definition.gaveUp?.(tx, emit, row.payload, message)
  })
}

const isLastTry = (job: Job, error: unknown): boolean =>
  error instanceof UnrecoverableError || job.attemptsMade + 1 >= (job.opts.attempts ?? 1)

/** Runs the job unless it is already finished. @throws the job's error */
async function runOnce(parts: WorkerParts, job: OutboxJob): Promise<void> {
  const row = await findJob(parts.ctx.db, job.data.id)
  if (row === undefined) return
  // The job failed permanently earlier. It is in the queue only so that staff can see and retry it.
  if (row.failedAt !== null) throw new UnrecoverableError(row.lastError ?? '')
  try {
    await runJob(parts, row, job.attemptsMade + 1)
  } catch (error) {
    // Update the row first. If only the queue recorded the failure, the row would be due forever.
    if (unavailableDelayMs(job, error) === undefined && isLastTry(job, error))
      await markFailed(parts, row, error as Error)
    throw error
  }
}

/** Runs a job. The attempt does not count if a dependency is down or the job's group is full. */
async function tryJob(parts: WorkerParts, job: OutboxJob, token: string | undefined): Promise<void> {
  try {
    await runOnce(parts, job)
  } catch (error) {
    const waitMs = unavailableDelayMs(job, error)
    if (waitMs === undefined) throw error
    if (!(error instanceof GroupFull))
      parts.ctx.log.warn({ err: error, job: job.name, waitMs }, 'a job waits for an unreachable service')
    await job.moveToDelayed(Date.now() + waitMs, token)
    throw new DelayedError()
  }
}

/** Marks a job as failed because its workers were killed too often. Such a job cannot mark itself. */
async function markStalledFailed(parts: WorkerParts, id: string, error: Error): Promise<void> {
  const row = await findJob(parts.ctx.db, id)
  if (row !== undefined) await markFailed(parts, row, error)
}

/** Recurring work needs only a few retries: enough to survive a short outage of Redis or PostgreSQL. */
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

/** BullMQ gets these errors (JobNotExist, JobLockNotExist, JobNotInState) when it repeats a command whose response was lost. */
const isEndedAlready = (error: Error & { code?: unknown }): boolean =>
  typeof error.code === 'number' && [-1, -2, -3].includes(error.code)

function openWorker(parts: WorkerParts, name: QueueName, process: (job: Job, token?: string) => Promise<void>): Worker {
  const { ctx } = parts
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
  worker.on('error', (error) => {
    // redis.ts already logs lost connections.
    if (!isDependencyDown(error) && !isEndedAlready(error))
      ctx.log.warn({ err: error, queue: name }, 'a worker has a fault')
  })
  worker.on('failed', (job, error) => {
    ctx.log.warn({ err: error, queue: name, job: job?.name, attempt: job?.attemptsMade }, 'a job failed')
    const { id } = (job?.data ?? {}) as { id?: string }
    if (id !== undefined && error.message.endsWith(' more than allowable limit'))
      markStalledFailed(parts, id, error).catch((reason: unknown) =>
        ctx.log.error({ err: reason, queue: name, id }, 'a stalled job could not be marked as failed'),
      )
  })
  return worker
}

async function countJob({ metrics }: Context, job: string, run: Promise<void>): Promise<void> {
  const end = metrics.jobs.startTimer({ job_name: job })
  try {
    await run
    end({ outcome: 'done' })
  } catch (error) {
    end({ outcome: error instanceof DelayedError ? 'waits' : 'failed' })
    throw error
  }
}

export function startWorkers(ctx: Context, handlers: JobHandlers<JobPayloads>, schedules: Schedule[]): Workers {
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const parts = {
    ctx,
    handlers,
    busy: new Map<string, number>(),
    mailer: createMailer(ctx.config),
    stopping: stopping.signal,
  }
  const perform = (name: QueueName, job: Job, token: string | undefined) => {
    const run = countJob(
      ctx,
      job.name,
      name === 'schedule' ? Promise.resolve(byName.get(job.name)?.run(ctx)) : tryJob(parts, job as OutboxJob, token),
    )
    underWay.add(run)
    return run.finally(() => underWay.delete(run))
  }
  const jobsSettled = async () => {
    while (underWay.size > 0) await Promise.allSettled(underWay)
  }
  const workers = queueNames.map((name) => openWorker(parts, name, (job, token) => perform(name, job, token)))
  ctx.outbox.startSweeping()
  // Check SMTP_URL now. Otherwise nobody would notice a mistake in it until an email does not arrive.
  void parts.mailer.findFault().then((fault) => {
    if (fault !== undefined) ctx.log.error(fault)
  })
  let registering: Promise<void> | undefined
  const register = () => {
    registering ??= registerSchedules(ctx, schedules)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'schedules wait for Redis'))
      .finally(() => (registering = undefined))
  }
  // Do not await this, because it never finishes while Redis is down.
  register()
  // Register them again regularly, in case Redis has lost its data.
  const registerTimer = setInterval(register, 30_000)
  return {
    async close() {
      clearInterval(registerTimer)
      stopping.abort(new Error('this process stops: another worker begins the job again'))
      // A graceful close waits forever if the connection is lost (taskforcesh/bullmq#4656). A forced close is safe, because the outbox row
      // records whether a job is done.
      const force = !ctx.redis.workersReady()
      // If a worker's connection ends meanwhile, `close` rejects even though the worker is closed.
      const closed = Promise.all(workers.map((worker) => worker.close(force).catch(() => undefined)))
      await Promise.race([closed, jobsSettled().then(() => pause(closeQueuesMs, undefined, { ref: false }))])
      await jobsSettled()
    },
  }
}
