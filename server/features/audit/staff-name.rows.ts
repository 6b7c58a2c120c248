import { sql } from 'kysely'

/** Returns SQL for a staff member's name or email address. Show it only to other admins, never to dealers. */
export const nameOrEmail = (dealers: string) =>
  sql<string | null>`coalesce(nullif(${sql.ref(`${dealers}.name`)}, ''), ${sql.ref(`${dealers}.email`)}::text)`
