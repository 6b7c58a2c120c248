import type { Retention, RetentionState } from '#shared/schemas/admin.ts'
import { sweepFlags } from '#server/features/auctions/shared-accounts/shared-accounts.service.ts'
import { sweepProfileViews } from '#server/features/dealers/dealers.service.ts'
import { sweepMessages } from '#server/features/messaging/messages.service.ts'
import { sweepNotifications } from '#server/features/notifications/notifications.service.ts'
import { sweepViews } from '#server/features/posts/posts-changes.service.ts'
import { sweepContact } from '#server/features/site/contact.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Schedule } from '#server/platform/jobs.ts'
import { removeOldFailures } from '#server/platform/outbox.repository.ts'
import { removeEndedSessions } from '#server/platform/session.repository.ts'
import { difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import { findRetention, noteRun, updateRetention } from './retention.repository.ts'

export const readRetention = (ctx: Context): Promise<RetentionState> => findRetention(ctx.db)

/** Changes and audits the retention. Applied by the next daily run. */
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

type Sweep = (tx: Tx, before: Date, limit: number) => Promise<number>

const logs: Record<string, Sweep> = {
  notifications: sweepNotifications,
  sessions: removeEndedSessions,
  'post views': sweepViews,
  'profile views': sweepProfileViews,
  'contact messages': sweepContact,
  'failed jobs': removeOldFailures,
  'auction flags': sweepFlags,
}

const rowsAtOnce = 500

/** One transaction per batch, so that locks are short. */
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
  // If the month has no such day, JavaScript moves into the next month. Use the last day of the month instead.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0)
  return before
}

export async function applyRetention(ctx: Context): Promise<void> {
  const { messageMonths, logMonths } = await findRetention(ctx.db)
  const removed: Record<string, number> = {}
  if (messageMonths !== null)
    removed['messages'] = await sweepAll(ctx, sweepMessages, monthsBefore(ctx.now(), messageMonths))
  for (const [what, sweep] of Object.entries(logs))
    removed[what] = await sweepAll(ctx, sweep, monthsBefore(ctx.now(), logMonths))
  await noteRun(
    ctx.db,
    Object.values(removed).reduce((sum, count) => sum + count, 0),
  )
  ctx.log.info({ removed, messageMonths, logMonths }, 'removed what is kept no longer')
}

const dayMs = 24 * 3_600_000

export const retentionSchedules: Schedule[] = [{ name: 'retention.apply', everyMs: dayMs, run: applyRetention }]
