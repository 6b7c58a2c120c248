import type { Config } from '#server/config/config.ts'
import type { Context } from '../process/context.ts'
import type { Emit } from '../database/transact.ts'
import type { Tx } from '../database/db.ts'
import type { Mail } from '../mail/mail.ts'
import type { QueueName } from './queue.ts'

export interface JobRun {
  /** Id of the outbox row. Use it as the idempotency key for effects outside of our database. */
  id: string
  attempt: number
  /** Aborted when this process stops. Long-running work should then throw, so that another worker restarts the job. */
  stopping: AbortSignal
  /**
   * Runs the job's database changes and deletes the job in one transaction, so they happen exactly once.
   * `work` is not called if another run has finished the job, or if the job was requested again since this run began. In the
   * second case the data may be stale, and the next run handles it.
   */
  complete(work: (tx: Tx, emit: Emit) => Promise<void>): Promise<void>
}

/** A group of jobs that wait for the same external service. */
export interface JobGroup {
  name: string
  /** Maximum number of the group's jobs that run at once in a process. Further jobs wait without taking up the queue's slots. */
  max: number
}

export interface JobHandler<Payload> {
  queue: QueueName
  /** Returns false if the job must not be queued. */
  isOn?(config: Config): boolean
  group?(payload: Payload): JobGroup
  /** Runs the job. Must be idempotent, because a thrown error causes a retry with backoff. */
  handle(ctx: Context, payload: Payload, run: JobRun): Promise<void>
  /** Called after the last attempt, in the transaction that marks the job as failed. */
  gaveUp?(tx: Tx, emit: Emit, payload: Payload, reason: string): Promise<void>
}

/** One attempt to send an email. `write` must not call other services, because it holds a transaction open. */
export interface MailRun {
  id: string
  /** True if an earlier attempt already wrote the email. Reuse the links that it created. */
  repeated: boolean
  /** Secret for a link in the email. It is the same for every attempt and is not stored anywhere. */
  secret: string
  config: Config
  now: Date
}

/** A job that sends one email. Features write the emails; only the worker sends them. */
export interface MailJob<Payload> {
  queue: 'mail'
  /**
   * Writes the email in a transaction that commits before the email is sent, so that its link works on arrival. Every attempt
   * must write the same email, because the recipient's server deduplicates by Message-ID. Returns undefined if there is nothing
   * to send.
   */
  write(tx: Tx, payload: Payload, run: MailRun): Promise<Mail | undefined>
  /** Called in the transaction that deletes the job, after the email was sent or if there was nothing to send. */
  sent?(tx: Tx, emit: Emit, payload: Payload): Promise<void>
}

export type JobDefinition<Payload> = JobHandler<Payload> | MailJob<Payload>

export type JobHandlers<Payloads> = { [N in keyof Payloads]: JobDefinition<Payloads[N]> }

/** Recurring work. It runs in one worker at a time and must be idempotent. */
export interface Schedule {
  name: string
  everyMs: number
  run(ctx: Context): Promise<void>
}
