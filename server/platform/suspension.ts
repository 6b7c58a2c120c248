import { sql } from 'kysely'

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
