import type { Config } from '#server/config/config.ts'
import type { Context } from '../process/context.ts'
import type { Emit } from '../database/transact.ts'
import type { Tx } from '../database/db.ts'
import type { Mail } from '../mail/mail.ts'
import type { QueueName } from './queue.ts'

export interface JobRun {
  /** Id of the outbox row. Use it as the idempotency key for effects outside our database. */
  id: string
  attempt: number
  /** Aborted when this process stops. Long-running work should throw then; another worker restarts it. */
  stopping: AbortSignal
  /**
   * Runs the job's database changes and deletes the job in one transaction, so they happen exactly once.
   * Not called if another run has finished the job, or if the job was requested again since this run began: the data
   * may be stale, and the next run handles it.
   */
  complete(work: (tx: Tx, emit: Emit) => Promise<void>): Promise<void>
}

/** Jobs that wait for the same outside service. */
export interface JobGroup {
  name: string
  /** Jobs of the group that run at once in a process. The others wait outside the queue's slots. */
  max: number
}

export interface JobHandler<Payload> {
  queue: QueueName
  /** False: the job is not queued. */
  isOn?(config: Config): boolean
  group?(payload: Payload): JobGroup
  /** Must be idempotent. A thrown error is retried with backoff. */
  handle(ctx: Context, payload: Payload, run: JobRun): Promise<void>
  /** Called in the transaction that marks the job as failed, after the last attempt. */
  gaveUp?(tx: Tx, emit: Emit, payload: Payload, reason: string): Promise<void>
}

/** One attempt to send an email. `write` must not call other services, because it holds a transaction open. */
export interface MailRun {
  id: string
  /** True if an earlier attempt has written the mail. Reuse the links that it issued. */
  repeated: boolean
  /** Secret for a link in the mail. The same for every attempt, and stored nowhere. */
  secret: string
  config: Config
  now: Date
}

/** A job that sends one mail. Features write mails; only the worker sends them. */
export interface MailJob<Payload> {
  queue: 'mail'
  /**
   * Writes the mail in a transaction that commits before the mail is sent, so its link works on arrival. Every attempt
   * must write the same mail, because the recipient's server deduplicates by Message-ID. Returns undefined if there is
   * nothing to send.
   */
  write(tx: Tx, payload: Payload, run: MailRun): Promise<Mail | undefined>
  /** Called in the transaction that deletes the job, after the mail was sent or if there was nothing to send. */
  sent?(tx: Tx, emit: Emit, payload: Payload): Promise<void>
}

export type JobDefinition<Payload> = JobHandler<Payload> | MailJob<Payload>

export type JobHandlers<Payloads> = { [N in keyof Payloads]: JobDefinition<Payloads[N]> }

/** Recurring work. Runs in one worker at a time and must be idempotent. */
export interface Schedule {
  name: string
  everyMs: number
  run(ctx: Context): Promise<void>
}
