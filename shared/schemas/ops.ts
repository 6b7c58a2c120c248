import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { visiblePattern } from '#shared/visible-text.ts'

/** GET /api/ops/health: the services the product stands on, each asked when the call is made. */
export const SystemHealth = Type.Object({
  ok: Type.Boolean(),
  parts: Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
})
export type SystemHealth = Static<typeof SystemHealth>

const queueStates = ['healthy', 'backlog', 'failing', 'paused', 'no_workers'] as const
export type QueueState = (typeof queueStates)[number]

/** How a queue stands now. `why` says its state in words. */
export const QueueFigures = Type.Object({
  name: Type.String(),
  waiting: Type.Integer(),
  active: Type.Integer(),
  failed: Type.Integer(),
  delayed: Type.Integer(),
  /** Jobs that ended in the last whole minute. */
  perMinute: Type.Integer(),
  /** 95th percentile of the run time of the newest completed jobs; null without any. */
  p95Ms: Nullable(Type.Integer()),
  /** Age of the job that waits longest; null where none waits. */
  oldestMs: Nullable(Type.Integer()),
  workers: Type.Integer(),
  paused: Type.Boolean(),
  state: oneOf(queueStates),
  why: Type.String(),
})
export type QueueFigures = Static<typeof QueueFigures>

/** How a process holds what Find looks through. `off`: nobody has asked yet. */
export const FindFigures = Type.Object({
  state: oneOf(['off', 'loading', 'ready']),
  vehicles: Type.Integer(),
  /** Since it last read what had changed. */
  ageMs: Nullable(Type.Integer()),
  memoryMb: Nullable(Type.Integer()),
})
export type FindFigures = Static<typeof FindFigures>

/** One server process, as it last reported itself. */
export const NodeFigures = Type.Object({
  node: Type.String(),
  roles: Type.String(),
  sockets: Type.Integer(),
  rooms: Type.Integer(),
  /** 99th percentile of the event loop's delay since the last report. */
  loopP99Ms: Type.Number(),
  memoryMb: Type.Integer(),
  pool: Type.Object({ total: Type.Integer(), idle: Type.Integer(), waiting: Type.Integer() }),
  /** Of processes that answer calls. */
  find: Type.Optional(FindFigures),
  startedAt: Timestamp,
  reportedAt: Timestamp,
  /** It has not reported for longer than it should: gone or stuck. */
  silent: Type.Boolean(),
})
export type NodeFigures = Static<typeof NodeFigures>

/** The event `ops.queues` and the first part of GET /api/ops/queues. */
export const OpsFigures = Type.Object({
  at: Timestamp,
  queues: Type.Array(QueueFigures),
  nodes: Type.Array(NodeFigures),
  /** Rows that wait to be published or run, those that failed for good, and the age of the oldest that is due. */
  outbox: Type.Object({ due: Type.Integer(), failed: Type.Integer(), oldestMs: Nullable(Type.Integer()) }),
  redis: Type.Object({ ok: Type.Boolean(), memoryMb: Nullable(Type.Number()) }),
  liveAuctions: Type.Integer(),
})
export type OpsFigures = Static<typeof OpsFigures>

export const opsRanges = ['15m', '1h', '24h'] as const
export type OpsRange = (typeof opsRanges)[number]
export const rangeMinutes: Record<OpsRange, number> = { '15m': 15, '1h': 60, '24h': 1_440 }

export const OpsQueuesQuery = Type.Object({ range: Type.Optional(oneOf(opsRanges)) })

/** Jobs ended per minute (per 24 minutes for a day), oldest first. */
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

/** A job that used up its attempts: how many, where Redis has not lost it meanwhile. `payload` is what its outbox row holds: ids only. */
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

/** How many jobs an act on several of them reached. */
export const JobsTouched = Type.Object({ count: Type.Integer() })
export type JobsTouched = Static<typeof JobsTouched>

/** The five services of /status. */
export const statusServiceKeys = ['platform', 'messaging', 'ai', 'auth', 'database'] as const
export type StatusServiceKey = (typeof statusServiceKeys)[number]

/** The documented service badges; `unknown` until a first probe has been recorded. */
export const ServiceState = Type.Union([
  Type.Literal('operational'),
  Type.Literal('degraded'),
  Type.Literal('down'),
  Type.Literal('unknown'),
])
export type ServiceState = Static<typeof ServiceState>

/** One day of recorded samples: `uptime` in percent with two decimals, null where nothing was recorded. */
export const StatusDay = Type.Object({ day: Type.String(), uptime: Type.Union([Type.Number(), Type.Null()]) })
export type StatusDay = Static<typeof StatusDay>

/** One service as measured: its state now, uptime over the days shown, and the last probe. */
export const ServiceStatus = Type.Object({
  key: Type.Enum(statusServiceKeys),
  state: ServiceState,
  uptime: Type.Union([Type.Number(), Type.Null()]),
  latencyMs: Type.Union([Type.Number(), Type.Null()]),
  checkedAt: Type.Union([Type.String(), Type.Null()]),
  days: Type.Array(StatusDay),
})
export type ServiceStatus = Static<typeof ServiceStatus>

/** GET /api/status */
export const StatusReport = Type.Object({ services: Type.Array(ServiceStatus), checkedAt: Type.String() })
export type StatusReport = Static<typeof StatusReport>

/** Written by an admin. `planned`: maintenance that was announced; `endedAt` is null while it goes on. */
const incidentFields = {
  title: Type.String({ minLength: 1, maxLength: 120, pattern: visiblePattern }),
  text: Type.String({ minLength: 1, maxLength: 2_000, pattern: visiblePattern }),
  planned: Type.Boolean(),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
}

/** POST /api/admin/incidents */
export const IncidentInput = Type.Object(incidentFields)
export type IncidentInput = Static<typeof IncidentInput>

/** PATCH /api/admin/incidents/{id}: what is absent stays as it is. */
export const IncidentChange = Type.Partial(Type.Object(incidentFields), { minProperties: 1 })
export type IncidentChange = Static<typeof IncidentChange>

/** GET /api/status/incidents (the newest, for anybody) and GET /api/admin/incidents (all): newest first. */
export const Incident = Type.Object({ id: Id, ...incidentFields, updatedAt: Timestamp })
export type Incident = Static<typeof Incident>
