import { listStaff } from '#server/features/dealers/dealers.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { findDailySince, findVerifiedSince, insertDailyBackup, isUnderWay } from './backups.repository.ts'

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000
/** Admins are alerted if no backup has been verified for this long. */
const missedMs = 2 * dayMs

function lastHour(at: Date, hour: number): Date {
  const midnight = new Date(at).setUTCHours(0, 0, 0, 0)
  const today = midnight + hour * hourMs
  return new Date(today <= at.getTime() ? today : today - dayMs)
}

/** Returns when the next daily backup is due, which is in the past if a backup was missed. Null if daily backups are off. */
export async function nextDailyBackup(ctx: Context): Promise<Date | null> {
  const { hour } = ctx.config.backups
  if (hour === undefined) return null
  return new Date(lastHour(await findDailySince(ctx.db), hour).getTime() + dayMs)
}

/** Starts the daily backup if it is due. If several were missed, makes only one. */
export async function startDailyBackup(ctx: Context): Promise<void> {
  const { hour } = ctx.config.backups
  const due = await nextDailyBackup(ctx)
  const now = ctx.now()
  if (hour === undefined || due === null || due > now) return
  await ctx.transact(async (tx, emit) => {
    // `backupId` is undefined while another backup is running. The schedule tries again a minute later.
    const backupId = await insertDailyBackup(tx, lastHour(now, hour))
    if (backupId !== undefined) await emit.job('backup.run', { backupId })
  })
}

/** Returns the milliseconds since the newest verified backup started, or null if daily backups are off, because then none can be missed. */
export async function readBackupAge(ctx: Context): Promise<number | null> {
  if (ctx.config.backups.hour === undefined) return null
  return ctx.now().getTime() - (await findVerifiedSince(ctx.db)).getTime()
}

/** Alerts all admins if no backup has been verified for two days, once per gap. This also catches backups that hang or never start. */
export async function checkBackups(ctx: Context): Promise<void> {
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
