import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { visiblePattern } from '#shared/visible-text.ts'
import { opsRanges } from '#shared/constants/ops.ts'

/** State of the services on which the server depends, checked during the request. */
export const SystemHealth = Type.Object({
  ok: Type.Boolean(),
  parts: Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
})
export type SystemHealth = Static<typeof SystemHealth>

const queueStates = ['healthy', 'backlog', 'failing', 'paused', 'no_workers'] as const
export type QueueState = (typeof queueStates)[number]

export const QueueFigures = Type.Object({
  name: Type.String(),
  waiting: Type.Integer(),
  active: Type.Integer(),
  failed: Type.Integer(),
  delayed: Type.Integer(),
  /** Number of jobs that finished in the last full minute. */
  perMinute: Type.Integer(),
  /** 95th percentile of the run time of recently completed jobs. Null if there are none. */
  p95Ms: Nullable(Type.Integer()),
  oldestMs: Nullable(Type.Integer()),
  workers: Type.Integer(),
  paused: Type.Boolean(),
  state: oneOf(queueStates),
  why: Type.String(),
})
export type QueueFigures = Static<typeof QueueFigures>

/** One process's in-memory vehicle index for Find. `off` means that nobody has searched there yet. */
export const FindFigures = Type.Object({
  state: oneOf(['off', 'loading', 'ready']),
  vehicles: Type.Integer(),
  ageMs: Nullable(Type.Integer()),
  memoryMb: Nullable(Type.Integer()),
})
export type FindFigures = Static<typeof FindFigures>

export const NodeFigures = Type.Object({
  node: Type.String(),
  roles: Type.String(),
  sockets: Type.Integer(),
  rooms: Type.Integer(),
  /** 99th percentile of the event loop delay since the last report, in milliseconds. */
  loopP99Ms: Type.Number(),
  memoryMb: Type.Integer(),
  pool: Type.Object({ total: Type.Integer(), idle: Type.Integer(), waiting: Type.Integer() }),
  find: Type.Optional(FindFigures),
  startedAt: Timestamp,
  reportedAt: Timestamp,
  /** True if the process has stopped reporting, because it ended or hangs. */
  silent: Type.Boolean(),
})
export type NodeFigures = Static<typeof NodeFigures>

export const OpsFigures = Type.Object({
  at: Timestamp,
  queues: Type.Array(QueueFigures),
  nodes: Type.Array(NodeFigures),
  /** `due`: rows that wait to be published or run. `failed`: permanently failed rows. `oldestMs`: age of the oldest due row. */
  outbox: Type.Object({ due: Type.Integer(), failed: Type.Integer(), oldestMs: Nullable(Type.Integer()) }),
  redis: Type.Object({ ok: Type.Boolean(), memoryMb: Nullable(Type.Number()) }),
  liveAuctions: Type.Integer(),
})
export type OpsFigures = Static<typeof OpsFigures>
export type OpsRange = (typeof opsRanges)[number]
export const rangeMinutes: Record<OpsRange, number> = { '15m': 15, '1h': 60, '24h': 1_440 }

export const OpsQueuesQuery = Type.Object({ range: Type.Optional(oneOf(opsRanges)) })

export const OpsOverview = Type.Object({
  figures: OpsFigures,
  throughput: Type.Record(Type.String(), Type.Array(Type.Integer())),
  completed: Type.Integer(),
})
export type OpsOverview = Static<typeof OpsOverview>

const Ref = Type.Object({ queue: Type.String({ maxLength: 40 }), id: Type.String({ maxLength: 100 }) })
export const JobRefs = Type.Object({ jobs: Type.Array(Ref, { minItems: 1, maxItems: 500 }) })
export type JobRefs = Static<typeof JobRefs>
export const QueueChoice = Type.Object({ queue: Type.Optional(Type.String({ maxLength: 40 })) })

/** A job that used up its attempts. `attempts` is null if Redis lost the job. `payload` comes from its outbox row. */
export const FailedJob = Type.Object({
  id: Type.String(),
  queue: Type.String(),
  name: Type.String(),
  error: Type.String(),
  attempts: Nullable(Type.Integer()),
  maxAttempts: Type.Integer(),
  createdAt: Timestamp,
  failedAt: Nullable(Timestamp),
  payload: Type.Unknown(),
})
export type FailedJob = Static<typeof FailedJob>

export const FailedJobs = Type.Object({ jobs: Type.Array(FailedJob), total: Type.Integer() })
export type FailedJobs = Static<typeof FailedJobs>

export const JobsTouched = Type.Object({ count: Type.Integer() })
export type JobsTouched = Static<typeof JobsTouched>

export const statusServiceKeys = ['platform', 'messaging', 'ai', 'auth', 'database'] as const
export type StatusServiceKey = (typeof statusServiceKeys)[number]

/** A service is `unknown` until its first probe. */
export const ServiceState = Type.Union([
  Type.Literal('operational'),
  Type.Literal('degraded'),
  Type.Literal('down'),
  Type.Literal('unknown'),
])
export type ServiceState = Static<typeof ServiceState>

/** `uptime` is in percent with two decimals. Null if there are no samples of that day. */
export const StatusDay = Type.Object({ day: Type.String(), uptime: Type.Union([Type.Number(), Type.Null()]) })
export type StatusDay = Static<typeof StatusDay>

export const ServiceStatus = Type.Object({
  key: Type.Enum(statusServiceKeys),
  state: ServiceState,
  uptime: Type.Union([Type.Number(), Type.Null()]),
  latencyMs: Type.Union([Type.Number(), Type.Null()]),
  checkedAt: Type.Union([Type.String(), Type.Null()]),
  days: Type.Array(StatusDay),
})
export type ServiceStatus = Static<typeof ServiceStatus>

export const StatusReport = Type.Object({ services: Type.Array(ServiceStatus), checkedAt: Type.String() })
export type StatusReport = Static<typeof StatusReport>

/** `planned` means announced maintenance. `endedAt` is null while the incident lasts. */
const incidentFields = {
  title: Type.String({ minLength: 1, maxLength: 120, pattern: visiblePattern }),
  text: Type.String({ minLength: 1, maxLength: 2_000, pattern: visiblePattern }),
  planned: Type.Boolean(),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
}

export const IncidentInput = Type.Object(incidentFields)
export type IncidentInput = Static<typeof IncidentInput>

export const IncidentChange = Type.Partial(Type.Object(incidentFields), { minProperties: 1 })
export type IncidentChange = Static<typeof IncidentChange>

export const Incident = Type.Object({ id: Id, ...incidentFields, updatedAt: Timestamp })
export type Incident = Static<typeof Incident>
