import type { Config } from '#server/config/config.ts'
import type { Context } from '../process/context.ts'
import type { Emit } from '../database/transact.ts'
import type { Tx } from '../database/db.ts'
import type { Mail } from '../mail/mail.ts'
import type { QueueName } from './queue.ts'

export interface JobRun {
  /** Id of the job's outbox row. Use it as the idempotency key for effects outside of our database. */
  id: string
  attempt: number
  /** Aborted when this process stops. Long-running work should then throw, so that another worker can restart the job. */
  stopping: AbortSignal
  /**
   * Runs `work` and deletes the job in one transaction, so that the database changes happen exactly once. Skips `work` if another run has
   * finished the job, or if the job was requested again after this run began, because this run may have read stale data.
   */
  complete(work: (tx: Tx, emit: Emit) => Promise<void>): Promise<void>
}

/** Jobs that depend on the same external service. */
export interface JobGroup {
  name: string
  /** Maximum number of these jobs that run at once in a process. Further jobs wait without taking up a slot of the queue. */
  max: number
}

export interface JobHandler<Payload> {
  queue: QueueName
  /** Returns false if the job must not be queued. */
  isOn?(config: Config): boolean
  group?(payload: Payload): JobGroup
  /** Must be idempotent, because a job whose attempt failed is retried with backoff. */
  handle(ctx: Context, payload: Payload, run: JobRun): Promise<void>
  /** Called when the job has failed permanently, in the transaction that marks it as failed. */
  gaveUp?(tx: Tx, emit: Emit, payload: Payload, reason: string): Promise<void>
}

export interface MailRun {
  id: string
  /** True if an earlier attempt has already written the email. Reuse the links that it created. */
  repeated: boolean
  /** Secret for a link in the email. It is derived from the job's id, so every attempt gets the same secret and none is stored. */
  secret: string
  config: Config
  now: Date
}

/** A job that sends one email. Features only write emails; the worker sends them. */
export interface MailJob<Payload> {
  queue: 'mail'
  /**
   * Writes the email, or returns undefined if there is nothing to send. Must not call other services, because a transaction is open. Every
   * attempt must write the same email, because mail servers may drop an email with a known Message-ID.
   */
  write(tx: Tx, payload: Payload, run: MailRun): Promise<Mail | undefined>
  /** Called in the transaction that deletes the job, after the email was sent or if there was nothing to send. */
  sent?(tx: Tx, emit: Emit, payload: Payload): Promise<void>
}

export type JobDefinition<Payload> = JobHandler<Payload> | MailJob<Payload>

export type JobHandlers<Payloads> = { [N in keyof Payloads]: JobDefinition<Payloads[N]> }

/** Recurring work. One worker performs each run. Must be idempotent, because a failed run is retried. */
export interface Schedule {
  name: string
  everyMs: number
  run(ctx: Context): Promise<void>
}
