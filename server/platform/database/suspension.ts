import { sql } from 'kysely'
import { AppError } from '#server/errors.ts'

export const isSuspended = (table: string) =>
  sql<boolean>`is_suspended(${sql.ref(`${table}.suspendedAt`)}, ${sql.ref(`${table}.suspendedUntil`)})`

export function isSuspendedAt(
  { suspendedAt, suspendedUntil }: { suspendedAt: Date | null; suspendedUntil: Date | null },
  now: Date,
): boolean {
  return suspendedAt !== null && (suspendedUntil === null || suspendedUntil > now)
}

export const accountSuspended = (reason: string | null): AppError =>
  new AppError(403, 'forbidden', `This account is suspended${reason ? `: ${reason}` : ''}`)
