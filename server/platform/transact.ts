import type { Facts, JobPayloads } from '#server/facts.ts'
import type { Bus } from './bus.ts'
import type { Db, Tx } from './db.ts'
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

export type Transact = <T>(work: (tx: Tx, emit: Emit) => Promise<T>) => Promise<T>

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
  return async (work) => {
    const held: Held = { publish: [], events: [], jobs: [] }
    const result = await db.transaction().execute((tx) => work(tx, collector(tx, bus, held)))
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
