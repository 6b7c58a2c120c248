export interface BackupJobs {
  /** Copies the database and proves that the copy restores. */
  'backup.run': { backupId: string }
}
