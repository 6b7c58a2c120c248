import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

export interface Column {
  table: string
  column: string
  type: string
  rule: string | null
  /** True if the column needs no rule, because it holds an id, a number, a time, or one of a fixed set of values. */
  exempt: boolean
  /** Position in the primary key, starting at 1; null if the column is not part of it. */
  key: number | null
}

/** Format that every column comment must have: docs/style.md, "Personal data". */
export const ruleGrammar = /^(not personal|personal: (delete|anonymize|keep \(.+\)); export: (yes|no \(.+\)))$/

export const isExported = ({ rule }: Column): boolean => !rule?.includes('export: no')

export async function listColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as column, t.typname as type, col_description(c.oid, a.attnum) as rule,
      not (t.typcategory = 'S' or t.typname in ('json', 'jsonb', 'bytea', 'inet', 'cidr', 'tsvector', 'tsquery', '_text', '_varchar', '_citext'))
        or exists (select from pg_constraint k where k.conrelid = c.oid and k.conkey = array[a.attnum]
          and (k.contype = 'f' or k.contype = 'c' and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = (ANY|''\\w+''::text\\)\\))')) as exempt,
      (select place from pg_index i, unnest(i.indkey) with ordinality as k(attnum, place)
        where i.indrelid = c.oid and i.indisprimary and k.attnum = a.attnum) as key
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
    order by c.relname, a.attnum`.execute(db)
  return rows
}
