import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { StatusServiceKey } from '#shared/schemas/ops.ts'
import type { Context } from '#server/platform/process/context.ts'
import { ProcessBusy } from '#server/platform/database/db.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { findSession } from '#server/platform/session/session.repository.ts'
import { countPosts, findOldestDueJob, type ProbeResult } from './status.repository.ts'

const slowMs = 1_000
const timeoutMs = 3_000
const retryMs = 1_000
const lateJobSeconds = 60
const stuckJobSeconds = 600

/** Retries, because a separate worker may start before the web server listens. */
async function readReady(address: string, triesLeft = 2): Promise<void> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) throw new Error(`not ready: ${response.status}`)
  } catch (error) {
    if (triesLeft === 0) throw error
    await setTimeout(retryMs)
    await readReady(address, triesLeft - 1)
  }
}

/** A probe that throws counts as down. */
const probes: Record<StatusServiceKey, (ctx: Context) => Promise<'operational' | 'degraded' | 'down'>> = {
  async platform(ctx) {
    // With port 0 (in tests), the server's address is unknown, so query the table of the feed instead.
    if (ctx.config.publicUrl === undefined && ctx.config.port === 0) await countPosts(ctx.db)
    else await readReady(publicLink(ctx.config, '/health/ready'))
    return 'operational'
  },
  async messaging(ctx) {
    // Without Redis, clients still receive messages by polling, so the service is not down.
    return ctx.redis.commands.ping().then(
      () => 'operational' as const,
      () => 'degraded' as const,
    )
  },
  async ai(ctx) {
    const waiting = await findOldestDueJob(ctx.db)
    if (waiting > stuckJobSeconds) return 'down'
    return waiting > lateJobSeconds ? 'degraded' : 'operational'
  },
  async auth(ctx) {
    await findSession(ctx.db, randomBytes(32))
    return 'operational'
  },
  async database(ctx) {
    await countPosts(ctx.db)
    return 'operational'
  },
}

async function runProbe(ctx: Context, service: StatusServiceKey): Promise<ProbeResult> {
  const began = performance.now()
  const elapsed = () => Math.round(performance.now() - began)
  const failed = { service, state: 'down', latencyMs: null } as const
  try {
    const state = await probes[service](ctx)
    if (state === 'down') return failed
    const latencyMs = elapsed()
    return { service, state: state === 'operational' && latencyMs > slowMs ? 'degraded' : state, latencyMs }
  } catch (error) {
    // This process is too busy for the probe, so it cannot tell whether the service works.
    return error instanceof ProcessBusy ? { service, state: 'degraded', latencyMs: elapsed() } : failed
  }
}

export async function probeServices(ctx: Context): Promise<ProbeResult[]> {
  return Promise.all((Object.keys(probes) as StatusServiceKey[]).map((service) => runProbe(ctx, service)))
}
