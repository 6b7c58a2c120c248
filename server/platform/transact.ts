import type { Facts, JobPayloads } from '#server/facts.ts'
import type { Bus } from './bus.ts'
import { isDeadlock, type Db, type Tx } from './db.ts'
import { insertEvent, insertJob, type JobOptions } from './outbox.repository.ts'

/** Tells what happened in this transaction. Nothing is heard before the commit; a rollback says nothing. */
export interface Emit {
  /** A hint: losing it leaves a stale screen at worst. */
  <N extends keyof Facts>(name: N, payload: Facts[N]): void
  /** A promise: an outbox row in the same transaction, published after commit and swept up after a crash. */
  durable<N extends keyof Facts>(name: N, payload: Facts[N]): Promise<void>
  /** Announces a durable fact whose outbox row the caller's own statement has inserted. */
  stored<N extends keyof Facts>(outboxId: string, name: N, payload: Facts[N]): void
  /** A background job: an outbox row in the same transaction. `runAt` delays it, `uniqueKey` makes it single. */
  job<N extends keyof JobPayloads>(name: N, payload: JobPayloads[N], options?: JobOptions): Promise<void>
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

function collector(tx: Tx, bus: Bus, held: Held): Emit {
  const hold = <N extends keyof Facts>(name: N, payload: Facts[N]) => {
    held.publish.push(() => bus.publish(name, payload))
  }
  return Object.assign(hold, {
    async durable<N extends keyof Facts>(name: N, payload: Facts[N]) {
      held.events.push(await insertEvent(tx, name, payload))
      hold(name, payload)
    },
    stored<N extends keyof Facts>(outboxId: string, name: N, payload: Facts[N]) {
      held.events.push(outboxId)
      hold(name, payload)
    },
    async job<N extends keyof JobPayloads>(name: N, payload: JobPayloads[N], options: JobOptions = {}) {
      const id = await insertJob(tx, name, payload, options)
      if (options.runAt === undefined) held.jobs.push({ id, name })
    },
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

/** Announces a durable fact whose outbox row a single statement has inserted and committed by itself. */
export function announce<N extends keyof Facts>(
  { bus, outbox }: { bus: Bus; outbox: AfterCommit },
  outboxId: string,
  name: N,
  payload: Facts[N],
): void {
  bus.publish(name, payload)
  outbox.published([outboxId])
}
