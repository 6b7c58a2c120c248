import type { Context } from './context.ts'
import type { Emit } from './transact.ts'
import type { Tx } from './db.ts'
import type { QueueName } from './queue.ts'

/** One run of a background job. */
export interface JobRun {
  /** The outbox row's id: the idempotency key for anything done outside our database. */
  id: string
  /** Attempts so far, this one included. */
  attempt: number
  /** Aborted when this process stops. Work that takes longer than a moment breaks off and throws: another worker begins it again. */
  stopping: AbortSignal
  /**
   * Does the job's database effects and takes the job away in one transaction, so they happen exactly once.
   * Not called when another run has finished the job meanwhile, or when it was asked for again since this run began: what was read
   * may be out of date, and the run that follows does it.
   */
  complete(work: (tx: Tx, emit: Emit) => Promise<void>): Promise<void>
}

export interface JobDefinition<Payload> {
  queue: QueueName
  /** Running it twice changes nothing. A thrown error is retried with back-off. */
  handle(ctx: Context, payload: Payload, run: JobRun): Promise<void>
  /** In the transaction that marks the job as failed, when its tries are used up. */
  gaveUp?(tx: Tx, payload: Payload, reason: string): Promise<void>
}

/** A handler for every name: a missing one does not compile. */
export type JobHandlers<Payloads> = { [N in keyof Payloads]: JobDefinition<Payloads[N]> }

/** Work that repeats. Runs in one worker at a time; must be safe to run twice. */
export interface Schedule {
  name: string
  everyMs: number
  run(ctx: Context): Promise<void>
}
