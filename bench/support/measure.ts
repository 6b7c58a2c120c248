import { randomBytes, createHash } from 'node:crypto'
import { loadavg } from 'node:os'
import autocannon from 'autocannon'
import pg from 'pg'
import type { BenchEnv, BenchRow } from './bench.ts'

const perThousand = 1_000
const idleMs = 2_000
const idleCores = 0.15
/** The polling of an idle system uses more than `idleCores` on a slow machine. After this many readings without a fall, it counts as idle. */
const restedReadings = 5
const restedShare = 0.9
/** `application_name` of the benchmark's own database connections. */
export const benchName = 'lanewire-bench'

/** Returns the sample below which `share` (0 to 1) of the samples lie. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const rounded = (value: number): number => Math.round(value * 100) / 100

export interface Line {
  figure: string
  perSecond?: number | undefined
  times?: number[]
  latency?: { p50: number; p99: number }
  goal: string
  note?: string
  cost?: string
}

export function toRow({ figure, perSecond, times, latency, goal, note, cost }: Line): BenchRow {
  const { p50, p99 } =
    times === undefined ? (latency ?? {}) : { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
  return {
    figure,
    'per second': perSecond === undefined ? '' : Math.round(perSecond),
    'p50 ms': p50 === undefined ? '' : rounded(p50),
    'p99 ms': p99 === undefined ? '' : rounded(p99),
    goal,
    note: note ?? '',
    'CPU ms each': cost ?? '',
  }
}

export interface Metered<T> {
  value: T
  seconds: number
  /** CPU milliseconds per unit of work by part of the system, and the load average. */
  cost: string
}

/** Returns the CPU seconds per second that each part of the idle system uses. */
export async function idlePerSecond({ cpu }: Pick<BenchEnv, 'cpu'>): Promise<Record<string, number>> {
  const before = cpu()
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const used = Object.entries(cpu()).map(([part, after]) => [
    part,
    (after - (before[part] ?? 0)) / (idleMs / perThousand),
  ])
  return Object.fromEntries(used) as Record<string, number>
}

/** Waits until the system is idle, or uses no less CPU time than before, so that checkpoints and vacuuming do not distort the figures. */
export async function untilIdle({ cpu }: Pick<BenchEnv, 'cpu'>): Promise<void> {
  let least = Infinity
  let unchanged = 0
  while (least >= idleCores && unchanged < restedReadings) {
    const cores = Object.values(await idlePerSecond({ cpu })).reduce((sum, used) => sum + used, 0)
    unchanged = cores < least * restedShare ? 0 : unchanged + 1
    least = Math.min(least, cores)
  }
}

/** Runs `work` and measures its CPU time per unit. Subtracts the CPU seconds per second in `idle`. */
export async function metered<T>(
  { cpu }: Pick<BenchEnv, 'cpu'>,
  work: () => Promise<T>,
  units: (value: T) => number,
  idle: Record<string, number> = {},
): Promise<Metered<T>> {
  const before = cpu()
  const start = performance.now()
  const value = await work()
  const seconds = (performance.now() - start) / perThousand
  const after = cpu()
  const parts = Object.entries(after).map(([part, total]) => {
    const used = Math.max(0, total - (before[part] ?? 0) - (idle[part] ?? 0) * seconds)
    return `${part} ${((used * perThousand) / Math.max(1, units(value))).toPrecision(2)}`
  })
  return { value, seconds, cost: `${parts.join(', ')} (load ${(loadavg()[0] ?? 0).toFixed(1)})` }
}

export async function withDatabase<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: benchName })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export interface Session {
  dealerId: string
  cookie: string
}

/** Creates sessions of existing accounts directly in the database, without signing in. */
export async function openSessions(databaseUrl: string, count: number, role = 'dealer'): Promise<Session[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from dealers where role = $2 and deleted_at is null order by id limit $1`,
      [count, role],
    )
    const sessions = rows.map(({ id }) => ({ dealerId: id, secret: randomBytes(32).toString('base64url') }))
    await client.query(
      `insert into sessions (hash, dealer_id, expires_at)
       select unnest($1::bytea[]), unnest($2::uuid[]), now() + interval '1 day'`,
      [
        sessions.map(({ secret }) => createHash('sha256').update(secret).digest()),
        sessions.map(({ dealerId }) => dealerId),
      ],
    )
    return sessions.map(({ dealerId, secret }) => ({ dealerId, cookie: `lanewire=${secret}` }))
  })
}

/** Measures throughput and latency. With `rate` (total requests per second), corrects latencies for coordinated omission. */
export async function httpLoad(options: {
  url: string
  paths: string[]
  headers: Record<string, string>
  connections: number
  seconds: number
  rate?: number
}): Promise<{ perSecond: number; p50: number; p99: number; errors: number }> {
  const result = await autocannon({
    url: options.url,
    connections: options.connections,
    duration: options.seconds,
    requests: options.paths.map((path) => ({ path, headers: options.headers })),
    ...(options.rate !== undefined && { overallRate: options.rate }),
  })
  return {
    perSecond: Math.round((result.requests.total / result.duration) * 1),
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.timeouts + result.non2xx - countNotModified(result),
  }
}

function countNotModified(result: autocannon.Result): number {
  const statuses = (result as { statusCodeStats?: Record<string, { count: number }> }).statusCodeStats
  return statuses?.['304']?.count ?? 0
}

export async function sequence(count: number, call: (index: number) => Promise<void>): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index += 1) {
    const start = performance.now()
    await call(index)
    samples.push(performance.now() - start)
  }
  return samples
}

export const thousands = (count: number): string => `${Math.round(count / perThousand)}k`

export const perSecondOf = (count: number, seconds: number): number => Math.round(count / seconds)

export const percentOf = (part: number, whole: number): string => `${rounded((100 * part) / whole)} %`
