import { sql } from 'kysely'

/** A staff member's name, or address without a name. Null without a row. Only for other admins, never for dealers. */
export const nameOrEmail = (dealers: string) =>
  sql<string | null>`coalesce(nullif(${sql.ref(`${dealers}.name`)}, ''), ${sql.ref(`${dealers}.email`)}::text)`
