export interface BackupJobs {
  /** Backs up the database and verifies the backup by restoring it. */
  'backup.run': { backupId: string }
}
