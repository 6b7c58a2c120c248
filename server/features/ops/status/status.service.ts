import { statusServiceKeys, type ServiceStatus, type StatusReport } from '#shared/schemas/ops.ts'
import type { Context } from '#server/platform/process/context.ts'
import { isDatabaseDown } from '#server/platform/database/db.ts'
import {
  addSample,
  listDays,
  listStates,
  lockStates,
  removeOldDays,
  upsertState,
  type ProbeResult,
} from './status.repository.ts'
import { probeServices } from './status-probes.ts'

const daysShown = 30
const daysKept = 400
const dayMs = 24 * 3_600_000
/** The state is unknown if the last probe is older than this, which means three missed probes. */
const staleMs = 3 * 60_000

type KnownState = ProbeResult['state']

/** Only the second failed probe in a row counts as down. A stored latency of null means that the previous probe failed. */
function settle(found: KnownState, last: { state: string; latencyMs: number | null } | undefined): KnownState {
  const isFirst = last !== undefined && last.state !== 'down' && last.latencyMs !== null
  return found === 'down' && isFirst ? 'degraded' : found
}

interface Sample {
  at: Date
  results: ProbeResult[]
}

/** Maximum number of samples kept in memory while the database is down: one day at one sample per minute. */
const unwrittenMax = 1_440
const unwritten = new WeakMap<Context, Sample[]>()

/** Probes all services, stores the results and notifies subscribers. While the database is down, keeps results in memory. */
export async function recordStatus(ctx: Context): Promise<void> {
  const sample = { at: ctx.now(), results: await probeServices(ctx) }
  // Take the samples before writing them, because a run that takes longer than its interval overlaps with the next one.
  const missed = unwritten.get(ctx) ?? []
  unwritten.delete(ctx)
  try {
    await writeSamples(ctx, missed, sample)
  } catch (error) {
    unwritten.set(ctx, [...missed, ...(unwritten.get(ctx) ?? []), sample].slice(-unwrittenMax))
    throw error
  }
}

async function writeSamples(ctx: Context, missed: Sample[], { at, results }: Sample): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const before = new Map((await lockStates(tx)).map((state) => [state.service, state]))
    for (const result of results) {
      const known = before.get(result.service)
      const last = known?.state
      const state = settle(result.state, known)
      await upsertState(tx, { ...result, state })
      for (const earlier of missed)
        for (const one of earlier.results.filter(({ service }) => service === result.service))
          await addSample(tx, one.service, one.state !== 'down', earlier.at)
      await addSample(tx, result.service, result.state !== 'down', at)
      if (state === 'down' && last !== undefined && last !== 'down')
        await emit.job('status.notify', { service: result.service, state: 'down' })
      if (last === 'down' && state !== 'down')
        await emit.job('status.notify', { service: result.service, state: 'operational' })
    }
    await removeOldDays(tx, daysKept)
  })
}

const percent = (good: number, samples: number) => Math.floor((good / samples) * 10_000) / 100

function lastDays(now: Date): string[] {
  return Array.from({ length: daysShown }, (_, back) =>
    new Date(now.getTime() - (daysShown - 1 - back) * dayMs).toISOString().slice(0, 10),
  )
}

async function readReport(ctx: Context): Promise<StatusReport> {
  const [states, days] = await Promise.all([listStates(ctx.db), listDays(ctx.db, daysShown)])
  const now = ctx.now()
  const services = statusServiceKeys.map((key): ServiceStatus => {
    const state = states.find(({ service }) => service === key)
    const own = days.filter(({ service }) => service === key)
    const samples = own.reduce((sum, day) => sum + day.samples, 0)
    const good = own.reduce((sum, day) => sum + day.good, 0)
    const fresh = state !== undefined && now.getTime() - state.checkedAt.getTime() < staleMs
    return {
      key,
      state: fresh ? state.state : 'unknown',
      uptime: samples === 0 ? null : percent(good, samples),
      latencyMs: state?.latencyMs ?? null,
      checkedAt: state?.checkedAt.toISOString() ?? null,
      days: lastDays(now).map((day) => {
        const found = own.find((one) => one.day === day)
        return { day, uptime: found ? percent(found.good, found.samples) : null }
      }),
    }
  })
  return { services, checkedAt: now.toISOString() }
}

async function emergencyReport(ctx: Context): Promise<StatusReport> {
  const now = ctx.now()
  const results = await probeServices(ctx)
  const services = results.map(({ service, state, latencyMs }): ServiceStatus => ({
    key: service,
    state,
    uptime: null,
    latencyMs,
    checkedAt: now.toISOString(),
    days: lastDays(now).map((day) => ({ day, uptime: null })),
  }))
  return { services, checkedAt: now.toISOString() }
}

export async function statusReport(ctx: Context): Promise<StatusReport> {
  try {
    return await readReport(ctx)
  } catch (error) {
    if (isDatabaseDown(error)) return emergencyReport(ctx)
    throw error
  }
}
