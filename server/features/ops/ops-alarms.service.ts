import { isFailing } from '#shared/failing-queues.ts'
import { listStaff } from '#server/features/dealers/dealers.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { readClock } from '#server/platform/process/clock.ts'
import type { Context } from '#server/platform/process/context.ts'
import { isDatabaseDown } from '#server/platform/database/db.ts'
import type { Schedule } from '#server/platform/jobs/jobs.ts'
import { isRedisDown } from '#server/platform/redis/redis.ts'
import { recordFindings } from './ops-alarms.repository.ts'
import { failingText } from './ops.service.ts'

/** Alerts ops and admins once when a queue starts to fail. Safe to run concurrently. */
export async function checkQueues(ctx: Context): Promise<void> {
  const from = await readClock(ctx.db)
  const counts = await Promise.all(
    Object.values(ctx.queues).map(async (queue) => ({ queue: queue.name, failed: await queue.getFailedCount() })),
  )
  const to = await readClock(ctx.db)
  await ctx.transact(async (tx, emit) => {
    const findings = counts.map(({ queue, failed }) => ({ queue, failing: isFailing({ failed }) }))
    const begun = await recordFindings(tx, findings, { from, to })
    if (begun.length === 0) return
    const staff = await listStaff(tx, 'admin', 'ops')
    const notices = begun.flatMap(({ queue, since }) => {
      const failed = counts.find((count) => count.queue === queue)?.failed ?? 0
      return staff.map((dealerId) => ({
        dealerId,
        kind: 'queues' as const,
        title: `The ${queue} queue is failing`,
        body: failingText(failed),
        path: '/admin/queues',
        key: `queue:${queue}:${since.toISOString()}`,
      }))
    })
    await notify(tx, emit, ...notices)
  })
}

async function runCheck(ctx: Context): Promise<void> {
  try {
    await checkQueues(ctx)
  } catch (error) {
    if (!isDatabaseDown(error) && !isRedisDown(error)) throw error
    ctx.log.debug({ err: error }, 'the queues could not be checked')
  }
}

export const opsSchedules: Schedule[] = [
  { name: 'ops.checkQueues', everyMs: 15_000, run: runCheck },
  { name: 'ops.showFailed', everyMs: 60_000, run: ({ outbox }) => outbox.showFailed() },
]
