import type { Retention, RetentionState } from '#shared/schemas/admin.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Schedule } from '#server/platform/jobs/jobs.ts'
import { difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import { findRetention, recordRun, updateRetention } from './retention.repository.ts'

export const readRetention = (ctx: Context): Promise<RetentionState> => findRetention(ctx.db)

/** Changes how long messages and logs are kept. The next daily run applies the change. */
export async function changeRetention(ctx: Context, by: By, wanted: Retention): Promise<RetentionState> {
  await ctx.transact(async (tx) => {
    const { messageMonths, logMonths } = await findRetention(tx)
    const { before, after, changed } = difference({ messageMonths, logMonths }, wanted)
    if (!changed) return
    await updateRetention(tx, wanted)
    await recordAct(tx, by, { action: 'network.retention', subject: { kind: 'network', id: 'network' }, before, after })
  })
  return findRetention(ctx.db)
}

/** Removes up to `limit` rows older than `before`. Returns the number of removed rows. */
export type Sweep = (tx: Tx, before: Date, limit: number) => Promise<number>

/** Messages and logs have separate retention periods, which an admin sets. */
export interface Sweeps {
  messages: Sweep
  logs: Record<string, Sweep>
}

const rowsAtOnce = 500

/** Uses one transaction per batch, so that rows are locked only briefly. */
async function sweepAll(ctx: Context, sweep: Sweep, before: Date): Promise<number> {
  for (let total = 0; ;) {
    const count = await ctx.transact((tx) => sweep(tx, before, rowsAtOnce))
    total += count
    if (count < rowsAtOnce) return total
  }
}

function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  // If the target month has no such day, JavaScript returns a day of the next month. Use the target month's last day instead.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0)
  return before
}

export async function applyRetention(ctx: Context, { messages, logs }: Sweeps): Promise<void> {
  const { messageMonths, logMonths } = await findRetention(ctx.db)
  const removed: Record<string, number> = {}
  if (messageMonths !== null)
    removed['messages'] = await sweepAll(ctx, messages, monthsBefore(ctx.now(), messageMonths))
  for (const [what, sweep] of Object.entries(logs))
    removed[what] = await sweepAll(ctx, sweep, monthsBefore(ctx.now(), logMonths))
  await recordRun(
    ctx.db,
    Object.values(removed).reduce((sum, count) => sum + count, 0),
  )
  ctx.log.info({ removed, messageMonths, logMonths }, 'removed data past its retention')
}

const dayMs = 24 * 3_600_000

export const retentionSchedules = (sweeps: Sweeps): Schedule[] => [
  { name: 'retention.apply', everyMs: dayMs, run: (ctx) => applyRetention(ctx, sweeps) },
]
