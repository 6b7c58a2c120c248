import type { Logger } from 'pino'
import type { DomainEvents, JobPayloads } from '#server/events.ts'
import type { Bus } from '../redis/bus.ts'
import type { Db } from '../database/db.ts'
import {
  claimDueJobs,
  claimStrandedEvents,
  listFailedJobs,
  markDispatched,
  markWaiting,
  removeOutbox,
} from './outbox.repository.ts'
import { failedKept, type Queues, type QueueName } from './queue.ts'

/** The process that inserts an event row normally deletes it within milliseconds. Older rows were left behind by a crash. */
const strandedMs = 1_000
const sweepEveryMs = 500
const redispatchMs = 15_000
const batchMs = 20
const sweepLimit = 500

export interface Outbox {
  published(ids: string[]): void
  dispatch(jobs: { id: string; name: keyof JobPayloads }[]): void
  startSweeping(): void
  sweep(): Promise<void>
  /** Adds permanently failed jobs to queues that lost them, so that staff see them. There they fail at once with their original error. */
  showFailed(): Promise<void>
  close(): Promise<void>
}

interface Dispatch {
  ids: string[]
  marked: Promise<void>
}

interface Needs {
  db: Db
  bus: Bus
  queues: Queues
  queueOf: (name: keyof JobPayloads) => QueueName
  log: Logger
}

async function addToQueues(needs: Needs, jobs: { id: string; name: keyof JobPayloads }[]): Promise<void> {
  const { queues, queueOf, db } = needs
  const byQueue = new Map<QueueName, { name: string; data: { id: string }; opts: { jobId: string } }[]>()
  for (const { id, name } of jobs) {
    const queue = queueOf(name)
    byQueue.set(queue, [...(byQueue.get(queue) ?? []), { name, data: { id }, opts: { jobId: id } }])
  }
  for (const [name, bulk] of byQueue) {
    try {
      await queues[name].addBulk(bulk)
    } catch (error) {
      await markWaiting(
        db,
        bulk.map((job) => job.data.id),
      )
      throw error
    }
  }
}

/** Removes ended jobs from the queues. A queue ignores a due job while it remembers an ended job with the same id. */
async function removeEndedJobs(
  { queues, queueOf }: Needs,
  jobs: { id: string; name: keyof JobPayloads }[],
): Promise<void> {
  await Promise.all(
    jobs.map(async ({ id, name }) => {
      const queue = queues[queueOf(name)]
      const state = await queue.getJobState(id)
      if (state === 'failed' || state === 'completed') await queue.remove(id)
    }),
  )
}

async function sweepOnce(needs: Needs): Promise<void> {
  // Publish events before their rows are deleted. A crash in between publishes the events twice, but never loses them.
  await needs.db.transaction().execute(async (tx) => {
    const stranded = await claimStrandedEvents(tx, strandedMs, sweepLimit)
    for (const { name, payload } of stranded.toSorted((a, b) => a.runAt.getTime() - b.runAt.getTime()))
      needs.bus.publish(name as keyof DomainEvents, payload as never)
  })
  const due = (await claimDueJobs(needs.db, redispatchMs, sweepLimit)) as { id: string; name: keyof JobPayloads }[]
  if (due.length === 0) return
  // If Redis is down, ignore the error here; the call below reports it.
  await removeEndedJobs(needs, due).catch(() => undefined)
  await addToQueues(needs, due)
}

/** Marks jobs of unfinished dispatches as waiting for another process's sweeper. Without Redis, a dispatch may never finish. */
async function releaseJobs({ db, log }: Needs, dispatching: readonly Dispatch[]): Promise<void> {
  await Promise.allSettled(dispatching.map(({ marked }) => marked))
  const ids = dispatching.flatMap((dispatch) => dispatch.ids)
  if (ids.length > 0) await markWaiting(db, ids).catch((error: unknown) => log.warn({ err: error }, 'outbox'))
}

export function createOutbox(needs: Needs): Outbox {
  let toRemove: string[] = []
  let flushing: NodeJS.Timeout | undefined
  let sweeping: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const dispatching = new Set<Dispatch>()

  const flush = async () => {
    flushing = undefined
    const ids = toRemove
    toRemove = []
    // If the delete fails, the sweeper publishes the events again, which is harmless.
    if (ids.length > 0)
      await removeOutbox(needs.db, ids).catch((error: unknown) => needs.log.warn({ err: error }, 'outbox'))
  }
  const sweep = async () => {
    running ??= sweepOnce(needs)
      .catch((error: unknown) => needs.log.warn({ err: error }, 'the outbox sweep failed and will be repeated'))
      .finally(() => (running = undefined))
    await running
  }
  return {
    published(ids) {
      toRemove.push(...ids)
      flushing ??= setTimeout(() => void flush(), batchMs)
    },
    dispatch(jobs) {
      const ids = jobs.map((job) => job.id)
      const dispatch = { ids, marked: markDispatched(needs.db, ids) }
      dispatching.add(dispatch)
      dispatch.marked
        .then(() => addToQueues(needs, jobs))
        .catch((error: unknown) => needs.log.warn({ err: error }, 'a job waits for the outbox sweep'))
        .finally(() => dispatching.delete(dispatch))
    },
    startSweeping() {
      sweeping = setInterval(() => void sweep(), sweepEveryMs)
    },
    sweep,
    async showFailed() {
      const failed = await listFailedJobs(needs.db, failedKept)
      await addToQueues(needs, failed as { id: string; name: keyof JobPayloads }[])
    },
    async close() {
      clearInterval(sweeping)
      clearTimeout(flushing)
      await running
      await flush()
      await releaseJobs(needs, [...dispatching])
    },
  }
}
