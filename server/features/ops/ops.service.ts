import { isFailing } from '#shared/failing-queues.ts'
import {
  type OpsFigures,
  type OpsOverview,
  type OpsRange,
  type QueueFigures,
  type QueueState,
  rangeMinutes,
  type SystemHealth,
} from '#shared/schemas/ops.ts'
import { plural } from '#shared/format.ts'
import type { Job, Queue } from 'bullmq'
import type { Context } from '#server/platform/process/context.ts'
import { listNodes } from './ops-heartbeat.ts'
import { findOutboxFigures, isAnswering } from './ops.repository.ts'

const backlogWaiting = 200
const backlogMs = 30_000

type Numbers = Omit<QueueFigures, 'state' | 'why'>

export const failingText = (failed: number): string =>
  `${plural(failed, 'job has', 'jobs have')} used up all attempts: read the error, then retry or discard.`

function queueStateOf({ paused, workers, failed, waiting, oldestMs }: Numbers): {
  state: QueueState
  why: string
} {
  if (paused) return { state: 'paused', why: 'Paused manually. Jobs are kept and wait until it is resumed.' }
  if (workers === 0)
    return { state: 'no_workers', why: 'No worker is connected. Start a process with the worker role.' }
  if (isFailing({ failed })) return { state: 'failing', why: failingText(failed) }
  if (waiting > backlogWaiting || (oldestMs !== null && oldestMs > backlogMs))
    return {
      state: 'backlog',
      why: 'Jobs arrive faster than they finish. Add workers or wait for the peak to pass.',
    }
  return { state: 'healthy', why: 'Jobs finish as they arrive.' }
}

const sampledJobs = 100
const percentile95 = 0.95
const shownPoints = 60
const bytesPerMb = 1024 * 1024

function percentile(jobs: Job[]): number | null {
  const times = jobs
    .flatMap(({ finishedOn, processedOn }) => (finishedOn && processedOn ? [finishedOn - processedOn] : []))
    .toSorted((a, b) => a - b)
  return times[Math.floor(percentile95 * times.length)] ?? null
}

const minuteMs = 60_000

/**
 * Counts the jobs finished in each full minute, newest first. BullMQ closes a minute only when the next job finishes, so this adds the last
 * minute with jobs and the idle minutes after it.
 */
async function endedByMinute(queue: Queue, how: 'completed' | 'failed', minutes: number): Promise<number[]> {
  const { meta, data } = await queue.getMetrics(how, 0, minutes - 1)
  const since = Math.floor(Date.now() / minuteMs) - Math.floor(meta.prevTS / minuteMs)
  const open =
    since > 0 ? [...Array.from({ length: Math.min(since - 1, minutes) }, () => 0), meta.count - meta.prevCount] : []
  const ended = [...open, ...data]
  return Array.from({ length: minutes }, (_, minute) => ended[minute] ?? 0)
}

/** Uses only queries that take constant time, no matter how long the queue is. */
async function queueFigures(queue: Queue): Promise<QueueFigures> {
  const [counts, [completed = 0], [failures = 0], paused, workers, [oldest], newest] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'failed', 'delayed'),
    endedByMinute(queue, 'completed', 1),
    endedByMinute(queue, 'failed', 1),
    queue.isPaused(),
    queue.getWorkersCount(),
    queue.getJobs(['waiting'], 0, 0, true),
    queue.getJobs(['completed'], 0, sampledJobs - 1),
  ])
  const numbers = {
    name: queue.name,
    waiting: counts['waiting'] ?? 0,
    active: counts['active'] ?? 0,
    failed: counts['failed'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    perMinute: completed + failures,
    p95Ms: percentile(newest),
    oldestMs: oldest ? Math.max(0, Date.now() - oldest.timestamp) : null,
    workers,
    paused,
  }
  return { ...numbers, ...queueStateOf(numbers) }
}

/** Returns completed jobs per minute, oldest first. A longer range, such as a day, is reduced to about sixty points. */
async function throughput(queue: Queue, minutes: number): Promise<number[]> {
  const newestFirst = await endedByMinute(queue, 'completed', minutes)
  const perPoint = Math.max(1, Math.floor(minutes / shownPoints))
  const points = Array.from({ length: Math.ceil(minutes / perPoint) }, (_, point) =>
    newestFirst.slice(point * perPoint, (point + 1) * perPoint).reduce((sum, count) => sum + count, 0),
  )
  return points.toReversed()
}

async function redisFigures(ctx: Context): Promise<OpsFigures['redis']> {
  const info = await ctx.redis.commands.info('memory').catch(() => undefined)
  const bytes = /used_memory:(\d+)/.exec(info ?? '')?.[1]
  return { ok: info !== undefined, memoryMb: bytes ? Math.round((Number(bytes) / bytesPerMb) * 10) / 10 : null }
}

/** While Redis is down, `queues` is empty and `redis.ok` is false. */
export async function opsFigures(ctx: Context): Promise<OpsFigures> {
  const [queues, nodes, { liveAuctions, ...outbox }, redis] = await Promise.all([
    Promise.all(Object.values(ctx.queues).map(queueFigures)).catch(() => []),
    listNodes(ctx),
    findOutboxFigures(ctx.db),
    redisFigures(ctx),
  ])
  return { at: ctx.now().toISOString(), queues, nodes, outbox, redis, liveAuctions }
}

export async function opsOverview(ctx: Context, range: OpsRange): Promise<OpsOverview> {
  const queues = Object.values(ctx.queues)
  const [figures, series] = await Promise.all([
    opsFigures(ctx),
    Promise.all(queues.map(async (queue) => [queue.name, await throughput(queue, rangeMinutes[range])] as const)).catch(
      () => [],
    ),
  ])
  const completed = series.reduce((sum, [, points]) => sum + points.reduce((total, count) => total + count, 0), 0)
  return { figures, throughput: Object.fromEntries(series), completed }
}

/** An empty list means that Redis did not respond. */
function healthOf(queues: QueueFigures[]): { ok: boolean; detail: string } {
  if (queues.length === 0) return { ok: false, detail: 'unknown: Redis is not responding' }
  const failing = queues.filter(({ state }) => state !== 'healthy')
  if (failing.length === 0) return { ok: true, detail: 'all healthy' }
  return { ok: false, detail: failing.map(({ name, state }) => `${name} ${state.replace('_', ' ')}`).join(', ') }
}

export async function systemHealth(ctx: Context): Promise<SystemHealth> {
  const began = performance.now()
  const database = await isAnswering(ctx.db)
  const databaseMs = Math.round(performance.now() - began)
  const { queues, nodes, outbox, redis } = await opsFigures(ctx)
  const alive = nodes.filter((node) => !node.silent)
  const nodesWithRole = (role: string) => alive.filter(({ roles }) => roles.split(', ').includes(role)).length
  const [web, workers] = [nodesWithRole('api'), nodesWithRole('worker')]
  const parts = [
    { name: 'Database', ok: database, detail: database ? `answered in ${databaseMs} ms` : 'no answer' },
    { name: 'Redis', ok: redis.ok, detail: redis.ok ? `${redis.memoryMb ?? 0} MB in use` : 'no answer' },
    { name: 'Web processes', ok: web > 0, detail: `${web} reporting` },
    { name: 'Workers', ok: workers > 0, detail: `${workers} reporting` },
    { name: 'Queues', ...healthOf(queues) },
    { name: 'Outbox', ok: outbox.due === 0 || (outbox.oldestMs ?? 0) < backlogMs, detail: `${outbox.due} due` },
  ]
  return { ok: parts.every((part) => part.ok), parts }
}
