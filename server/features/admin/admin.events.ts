export interface BackupJobs {
  'backup.run': { backupId: string }
}
