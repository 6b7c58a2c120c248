import { sql, type Kysely } from 'kysely'

/**
 * The words of a saved feed search after the feed's spelling correction. Null for searches saved by an earlier version, which use
 * `query`, the words as typed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table saved_searches add column meant tsquery;
    comment on column saved_searches.meant is 'personal: delete; export: no (made of other columns)';`.execute(db)
  await sql`
    update saved_searches s set meant = search_query(coalesce(
      (select regexp_replace(said.words, '(^|\\s)' || code || '$', ' ' || state)
        from (values ('IN', 'Indiana'), ('OR', 'Oregon'), ('ME', 'Maine'), ('ON', 'Ontario')) as swallowed (code, state)
        where said.words ~ ('(^|\\s)' || code || '$')),
      said.words))
    from (
      select id, regexp_replace(search, '(?<![[:alnum:]-])([a-z]{0,3}-?[0-9]{1,4})s(?![[:alnum:]-])', '\\1', 'gi') as words
      from saved_searches where kind = 'feed'
    ) said
    where said.id = s.id`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_searches drop column meant`.execute(db)
}
