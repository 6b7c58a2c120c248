import type { JobHandlers } from '#server/platform/jobs.ts'
import type { BackupJobs } from './backups.facts.ts'
import { runBackup } from './backups.service.ts'

export const backupsJobs: JobHandlers<BackupJobs> = {
  'backup.run': { queue: 'default', handle: (ctx, { backupId }, run) => runBackup(ctx, backupId, run) },
}
