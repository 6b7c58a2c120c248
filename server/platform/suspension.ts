import { sql } from 'kysely'
import { AppError } from '#server/errors.ts'

/** SQL condition: the account in this row is suspended now. */
export const isSuspended = (table: string) =>
  sql<boolean>`is_suspended(${sql.ref(`${table}.suspendedAt`)}, ${sql.ref(`${table}.suspendedUntil`)})`

/** Like {@link isSuspended}, for a loaded row. */
export function isSuspendedAt(
  { suspendedAt, suspendedUntil }: { suspendedAt: Date | null; suspendedUntil: Date | null },
  now: Date,
): boolean {
  return suspendedAt !== null && (suspendedUntil === null || suspendedUntil > now)
}

/** Error for a suspended account that tries to sign in. */
export const accountSuspended = (reason: string | null): AppError =>
  new AppError(403, 'forbidden', `This account is suspended${reason ? `: ${reason}` : ''}`)
