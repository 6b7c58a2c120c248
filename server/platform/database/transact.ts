import {
  type DomainEvents,
  type DurableEvent,
  durableEvents,
  type HintEvent,
  type JobPayloads,
} from '#server/events.ts'
import type { Bus } from '../redis/bus.ts'
import { isDeadlock, type Db, type Tx } from './db.ts'
import { insertEvent, insertJobs, type JobOptions, type NewJob } from '../jobs/outbox.repository.ts'

/** Emits events and queues jobs from within a transaction. They are published only after the commit, never after a rollback. */
export interface Emit {
  /** Emits an event that may be lost, for example in a crash. A lost event only leaves a screen stale. */
  <N extends HintEvent>(name: N, payload: DomainEvents[N]): void
  /**
   * Inserts the event into the outbox. It is published after the commit. If the process crashes before that, the sweeper publishes it.
   * @param outboxId id of the outbox row if the caller's own statement has already inserted it
   */
  <N extends DurableEvent>(name: N, payload: DomainEvents[N], outboxId?: string): Promise<void>
  /** Queues a background job by inserting an outbox row in this transaction. */
  job<N extends keyof JobPayloads>(name: N, payload: JobPayloads[N], options?: JobOptions): Promise<void>
  jobs<N extends keyof JobPayloads>(name: N, jobs: NewJob<N>[]): Promise<void>
}

type Work<T> = (tx: Tx, emit: Emit) => Promise<T>

/** Runs `work` in a transaction. After a deadlock, it runs `work` again, so effects outside the transaction may happen twice. */
export type Transact = <T>(work: Work<T>) => Promise<T>

const tries = 3

export interface AfterCommit {
  published(outboxIds: string[]): void
  dispatch(jobs: { id: string; name: keyof JobPayloads }[]): void
}

export type IsJobOn = (name: keyof JobPayloads) => boolean

interface PendingEffects {
  publish: (() => void)[]
  events: string[]
  jobs: { id: string; name: keyof JobPayloads }[]
}

const durable: ReadonlySet<keyof DomainEvents> = new Set(durableEvents)

function collector(tx: Tx, { bus, isJobOn }: { bus: Bus; isJobOn: IsJobOn }, pending: PendingEffects): Emit {
  const publishLater = <N extends keyof DomainEvents>(name: N, payload: DomainEvents[N]) => {
    pending.publish.push(() => bus.publish(name, payload))
  }
  const promise = async <N extends keyof DomainEvents>(name: N, payload: DomainEvents[N], outboxId?: string) => {
    pending.events.push(outboxId ?? (await insertEvent(tx, name, payload)))
    publishLater(name, payload)
  }
  function emit<N extends HintEvent>(name: N, payload: DomainEvents[N]): void
  function emit<N extends DurableEvent>(name: N, payload: DomainEvents[N], outboxId?: string): Promise<void>
  function emit<N extends keyof DomainEvents>(name: N, payload: DomainEvents[N], outboxId?: string) {
    return durable.has(name) ? promise(name, payload, outboxId) : publishLater(name, payload)
  }
  const jobs = async <N extends keyof JobPayloads>(name: N, added: NewJob<N>[]) => {
    if (added.length === 0 || !isJobOn(name)) return
    const ids = await insertJobs(tx, name, added)
    for (const [index, id] of ids.entries()) if (added[index]?.runAt === undefined) pending.jobs.push({ id, name })
  }
  return Object.assign(emit, {
    jobs,
    job: <N extends keyof JobPayloads>(name: N, payload: JobPayloads[N], options: JobOptions = {}) =>
      jobs(name, [{ payload, ...options }]),
  })
}

export function createTransact(db: Db, bus: Bus, after: AfterCommit, isJobOn: IsJobOn = () => true): Transact {
  async function run<T>(work: Work<T>, triesLeft: number): Promise<{ result: T; pending: PendingEffects }> {
    const pending: PendingEffects = { publish: [], events: [], jobs: [] }
    try {
      return {
        result: await db.transaction().execute((tx) => work(tx, collector(tx, { bus, isJobOn }, pending))),
        pending,
      }
    } catch (error) {
      // Jobs can deadlock: a running job locks its outbox row before its data, while code that queues the job locks the data first.
      if (triesLeft > 0 && isDeadlock(error)) return run(work, triesLeft - 1)
      throw error
    }
  }
  return async (work) => {
    const { result, pending } = await run(work, tries - 1)
    for (const publish of pending.publish) publish()
    if (pending.events.length > 0) after.published(pending.events)
    if (pending.jobs.length > 0) after.dispatch(pending.jobs)
    return result
  }
}

export function publishStored<N extends DurableEvent>(
  { bus, outbox }: { bus: Bus; outbox: AfterCommit },
  outboxId: string,
  name: N,
  payload: DomainEvents[N],
): void {
  bus.publish(name, payload)
  outbox.published([outboxId])
}
