import { sql } from 'kysely'
import { AppError } from '#server/errors.ts'

/** Whether the account in that row of a query is suspended now. */
export const isSuspended = (table: string) =>
  sql<boolean>`is_suspended(${sql.ref(`${table}.suspendedAt`)}, ${sql.ref(`${table}.suspendedUntil`)})`

/** The same for a row that is at hand. */
export function isSuspendedAt(
  { suspendedAt, suspendedUntil }: { suspendedAt: Date | null; suspendedUntil: Date | null },
  now: Date,
): boolean {
  return suspendedAt !== null && (suspendedUntil === null || suspendedUntil > now)
}

/** What whoever signs in is told. */
export const accountSuspended = (reason: string | null): AppError =>
  new AppError(403, 'forbidden', `This account is suspended${reason ? `: ${reason}` : ''}`)
