import { listStaff } from '#server/features/dealers/dealers.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import { findDailySince, findVerifiedSince, insertDailyBackup, isUnderWay } from './backups.repository.ts'

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000
/** Without a good one for so long, at least one daily backup was missed or failed. */
const missedMs = 2 * dayMs

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

/** How old the newest backup is that can be fallen back on. Null where there is none a day by itself, so that none is missed. */
export async function readBackupAge(ctx: Context): Promise<number | null> {
  if (ctx.config.backups.hour === undefined) return null
  return ctx.now().getTime() - (await findVerifiedSince(ctx.db)).getTime()
}

/** Tells admins once where none has succeeded for too long: one that never ends, or never begins, does not fail either. */
export async function watchBackups(ctx: Context): Promise<void> {
  if (ctx.config.backups.hour === undefined) return
  const since = await findVerifiedSince(ctx.db)
  const now = ctx.now().getTime()
  if (now - since.getTime() < missedMs || (await isUnderWay(ctx.db, new Date(now - dayMs)))) return
  const notice = {
    kind: 'queues',
    title: 'No backup has succeeded for two days',
    body: 'See Backup Data for the latest results. A paused queue or one without workers makes no backups.',
    path: '/admin',
    key: `backup-missed:${since.toISOString()}`,
  } as const
  await ctx.transact(async (tx, emit) =>
    notify(tx, emit, ...(await listStaff(tx, 'admin')).map((dealerId) => ({ ...notice, dealerId }))),
  )
}
