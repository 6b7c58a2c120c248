import type { Context } from '#server/platform/context.ts'
import { findDailySince, insertDailyBackup } from './backups.repository.ts'

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000

/** The last time that it was this hour (UTC), `at` included. */
function lastHour(at: Date, hour: number): Date {
  const midnight = new Date(at).setUTCHours(0, 0, 0, 0)
  const today = midnight + hour * hourMs
  return new Date(today <= at.getTime() ? today : today - dayMs)
}

/**
 * When the next daily backup is due; in the past where one was missed and is about to be made up for. Null when they
 * are switched off.
 */
export async function nextDailyBackup(ctx: Context): Promise<Date | null> {
  const { hour } = ctx.config.backups
  if (hour === undefined) return null
  return new Date(lastHour(await findDailySince(ctx.db), hour).getTime() + dayMs)
}

/** Asks for the backup of the day once it is due, also late: one for all that were missed. */
export async function startDailyBackup(ctx: Context): Promise<void> {
  const { hour } = ctx.config.backups
  const due = await nextDailyBackup(ctx)
  const now = ctx.now()
  if (hour === undefined || due === null || due > now) return
  await ctx.transact(async (tx, emit) => {
    // None while another one runs: asked again a minute later.
    const backupId = await insertDailyBackup(tx, lastHour(now, hour))
    if (backupId !== undefined) await emit.job('backup.run', { backupId })
  })
}
