import Type, { type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './dealers.ts'

const backupStates = ['running', 'verified', 'failed'] as const
export type BackupState = (typeof backupStates)[number]

/** One backup of the database. `verified` means that it was restored once and compared equal. */
export const Backup = Type.Object({
  id: Id,
  state: oneOf(backupStates),
  /** The admin who asked for it; empty for a daily one. */
  requestedBy: Type.String(),
  daily: Type.Boolean(),
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  /** On the worker's disk; null once a newer one has taken its place. */
  folder: Nullable(Type.String()),
  sizeBytes: Nullable(Type.Integer()),
  rows: Nullable(Type.Integer()),
  /** What went wrong, of a failed one. */
  error: Nullable(Type.String()),
})
export type Backup = Static<typeof Backup>

/** GET /api/admin/backups: the newest first. */
export const Backups = Type.Object({
  lastVerified: Nullable(Backup),
  backups: Type.Array(Backup),
  /** When the next daily one is due; null when they are switched off. */
  nextAt: Nullable(Timestamp),
  /** That moment has passed: a worker makes it up within a minute. */
  late: Type.Boolean(),
  /** How many of the newest stay on the disk. */
  kept: Type.Integer(),
})
export type Backups = Static<typeof Backups>
