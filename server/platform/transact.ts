import {
  type DomainEvents,
  type DurableEvent,
  durableEvents,
  type HintEvent,
  type JobPayloads,
} from '#server/events.ts'
import type { Bus } from './bus.ts'
import { isDeadlock, type Db, type Tx } from './db.ts'
import { insertEvent, insertJobs, type JobOptions, type NewJob } from './outbox.repository.ts'

/** Emits what happened in this transaction. Nothing is published before the commit; after a rollback nothing is. */
export interface Emit {
  /** A hint: losing it leaves a stale screen at worst. */
  <N extends HintEvent>(name: N, payload: DomainEvents[N]): void
  /**
   * A promise (`durableEvents`): an outbox row in the same transaction, published after commit and swept up after a crash.
   * @param outboxId of the row, where the caller's own statement has inserted it
   */
  <N extends DurableEvent>(name: N, payload: DomainEvents[N], outboxId?: string): Promise<void>
  /** A background job: an outbox row in the same transaction. `runAt` delays it, `uniqueKey` makes it single. */
  job<N extends keyof JobPayloads>(name: N, payload: JobPayloads[N], options?: JobOptions): Promise<void>
  /** Many jobs of one name in one statement. */
  jobs<N extends keyof JobPayloads>(name: N, jobs: NewJob<N>[]): Promise<void>
}

type Work<T> = (tx: Tx, emit: Emit) => Promise<T>

/** What `work` does outside its transaction it may do twice: the loser of a deadlock begins again. */
export type Transact = <T>(work: Work<T>) => Promise<T>

const tries = 3

export interface AfterCommit {
  published(outboxIds: string[]): void
  dispatch(jobs: { id: string; name: keyof JobPayloads }[]): void
}

interface Held {
  publish: (() => void)[]
  events: string[]
  jobs: { id: string; name: keyof JobPayloads }[]
}

const durable: ReadonlySet<keyof DomainEvents> = new Set(durableEvents)

function collector(tx: Tx, bus: Bus, held: Held): Emit {
  const hold = <N extends keyof DomainEvents>(name: N, payload: DomainEvents[N]) => {
    held.publish.push(() => bus.publish(name, payload))
  }
  const promise = async <N extends keyof DomainEvents>(name: N, payload: DomainEvents[N], outboxId?: string) => {
    held.events.push(outboxId ?? (await insertEvent(tx, name, payload)))
    hold(name, payload)
  }
  function emit<N extends HintEvent>(name: N, payload: DomainEvents[N]): void
  function emit<N extends DurableEvent>(name: N, payload: DomainEvents[N], outboxId?: string): Promise<void>
  function emit<N extends keyof DomainEvents>(name: N, payload: DomainEvents[N], outboxId?: string) {
    return durable.has(name) ? promise(name, payload, outboxId) : hold(name, payload)
  }
  const jobs = async <N extends keyof JobPayloads>(name: N, added: NewJob<N>[]) => {
    if (added.length === 0) return
    const ids = await insertJobs(tx, name, added)
    for (const [index, id] of ids.entries()) if (added[index]?.runAt === undefined) held.jobs.push({ id, name })
  }
  return Object.assign(emit, {
    jobs,
    job: <N extends keyof JobPayloads>(name: N, payload: JobPayloads[N], options: JobOptions = {}) =>
      jobs(name, [{ payload, ...options }]),
  })
}

export function createTransact(db: Db, bus: Bus, after: AfterCommit): Transact {
  async function run<T>(work: Work<T>, left: number): Promise<{ result: T; held: Held }> {
    const held: Held = { publish: [], events: [], jobs: [] }
    try {
      return { result: await db.transaction().execute((tx) => work(tx, collector(tx, bus, held))), held }
    } catch (error) {
      // A job takes its outbox row first and then the rows it is about; who asks for that job has them the other way round.
      if (left > 0 && isDeadlock(error)) return run(work, left - 1)
      throw error
    }
  }
  return async (work) => {
    const { result, held } = await run(work, tries - 1)
    for (const publish of held.publish) publish()
    if (held.events.length > 0) after.published(held.events)
    if (held.jobs.length > 0) after.dispatch(held.jobs)
    return result
  }
}

/** Publishes a durable event whose outbox row a single statement has inserted and committed by itself. */
export function publishStored<N extends DurableEvent>(
  { bus, outbox }: { bus: Bus; outbox: AfterCommit },
  outboxId: string,
  name: N,
  payload: DomainEvents[N],
): void {
  bus.publish(name, payload)
  outbox.published([outboxId])
}
