import Type, { type Static } from 'typebox'

/** The five services of /status (spec B §2 "/status"). */
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
