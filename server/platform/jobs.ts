import type { Config } from '#server/config.ts'
import type { Context } from './context.ts'
import type { Emit } from './transact.ts'
import type { Tx } from './db.ts'
import type { Mail } from './mail.ts'
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

export interface JobHandler<Payload> {
  queue: QueueName
  /** Running it twice changes nothing. A thrown error is retried with back-off. */
  handle(ctx: Context, payload: Payload, run: JobRun): Promise<void>
  /** In the transaction that marks the job as failed, when its tries are used up. */
  gaveUp?(tx: Tx, emit: Emit, payload: Payload, reason: string): Promise<void>
}

/** One try of a mail. Nothing in it leaves the process: a mail server that is slow must not hold a transaction open. */
export interface MailRun {
  /** The job's id: the same for every try. */
  id: string
  /** An earlier try has written the mail: what that one issued or took is this one's again. */
  repeated: boolean
  /** What a link in the mail proves itself by: the same for every try, and at rest nowhere. */
  secret: string
  config: Config
  now: Date
}

/** A job that sends one mail. Features write mails, and only the worker has what sends them. */
export interface MailJob<Payload> {
  queue: 'mail'
  /**
   * Writes the mail, in a transaction that is committed before it leaves: its link works, however late the mail server answers. Every
   * try writes the same mail, for the recipient's server keeps one of them. Undefined: there is nothing to send.
   */
  write(tx: Tx, payload: Payload, run: MailRun): Promise<Mail | undefined>
  /** In the transaction that takes the job away, once the mail has left or there was none. */
  sent?(tx: Tx, emit: Emit, payload: Payload): Promise<void>
}

export type JobDefinition<Payload> = JobHandler<Payload> | MailJob<Payload>

/** A handler for every name: a missing one does not compile. */
export type JobHandlers<Payloads> = { [N in keyof Payloads]: JobDefinition<Payloads[N]> }

/** Work that repeats. Runs in one worker at a time; must be safe to run twice. */
export interface Schedule {
  name: string
  everyMs: number
  run(ctx: Context): Promise<void>
}
