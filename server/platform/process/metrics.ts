import { Counter, Histogram, Registry } from 'prom-client'

/** `proof` is the step in which a signed-in person confirms their identity in order to change how they sign in. */
const signInSteps = ['password', 'second_factor', 'passkey', 'google', 'proof'] as const
const signInReasons = [
  'unknown_account',
  'no_password',
  'wrong_password',
  'wrong_code',
  'used_code',
  'unreadable_app',
  'passkey_refused',
  'expired',
  'suspended',
  'unverified',
  'invitation',
  'not_signed_by_google',
  'too_many_tries',
] as const

export interface SignInFailure {
  step: (typeof signInSteps)[number]
  reason: (typeof signInReasons)[number]
}

/** Starts every series at zero, because Prometheus sees no increase in a series that begins at 1. */
function countSignInFailures(registers: Registry[]) {
  const counter = new Counter({
    name: 'lanewire_sign_in_failures_total',
    help: 'Sign-ins, second factors and proofs of identity that were refused, by step and reason',
    labelNames: ['step', 'reason'] as const,
    registers,
  })
  for (const step of signInSteps) for (const reason of signInReasons) counter.inc({ step, reason }, 0)
  return counter
}

const mailOutcomes = ['sent', 'refused', 'away'] as const

/** Starts every series at zero, like the failed sign-ins. */
function countMails(registers: Registry[]) {
  const counter = new Counter({
    name: 'lanewire_mails_total',
    help: 'Emails handed to the mail server, by result: sent, refused, or away (retried later)',
    labelNames: ['outcome'] as const,
    registers,
  })
  for (const outcome of mailOutcomes) counter.inc({ outcome }, 0)
  return counter
}

/** Metric names follow Prometheus conventions: durations in seconds, and counters end in `_total`. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'lanewire_http_request_seconds',
      help: 'Time to answer by route',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    refusals: new Counter({
      name: 'lanewire_requests_refused_total',
      help: 'Requests refused because the process was too busy, by kind (urgent: messages and bids) and reason (too_many, no_connection)',
      labelNames: ['kind', 'reason'] as const,
      registers,
    }),
    /** Outcomes: done; failed (the attempt counts); waits (a dependency is down or a group is full; the attempt does not count). */
    jobs: new Histogram({
      name: 'lanewire_job_seconds',
      help: 'Duration of job attempts, by job and outcome',
      labelNames: ['job_name', 'outcome'] as const,
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
      registers,
    }),
    mails: countMails(registers),
    pushes: new Counter({
      name: 'lanewire_push_total',
      help: 'Push messages handed to a push service, by its host in PUSH_HOSTS and the status of its answer (0: none)',
      labelNames: ['host', 'status'] as const,
      registers,
    }),
    bids: new Counter({
      name: 'lanewire_bids_total',
      help: 'Bids and maximums decided, by outcome: accepted, or why not',
      labelNames: ['outcome'] as const,
      registers,
    }),
    signInFailures: countSignInFailures(registers),
    deliveries: new Counter({
      name: 'lanewire_deliveries_total',
      help: "Packets sent to this process's sockets, by event; a batch counts as one packet",
      labelNames: ['event'] as const,
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
