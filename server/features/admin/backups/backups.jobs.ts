import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import type { BackupJobs } from '../admin.events.ts'
import { startDailyBackup, checkBackups } from './backups-daily.service.ts'
import { failBackup, runBackup, sweepBackups } from './backups.service.ts'

export const backupsJobs: JobHandlers<BackupJobs> = {
  'backup.run': {
    queue: 'default',
    handle: (ctx, { backupId }, run) => runBackup(ctx, backupId, run),
    gaveUp: (tx, emit, { backupId }, reason) => failBackup(tx, emit, backupId, reason),
  },
}

export const backupsSchedules: Schedule[] = [
  { name: 'backups.daily', everyMs: 60_000, run: startDailyBackup },
  { name: 'backups.check', everyMs: 300_000, run: checkBackups },
  { name: 'backups.sweep', everyMs: 300_000, run: sweepBackups },
]
