import { sql, type Kysely } from 'kysely'

/** Keeps which columns of a spreadsheet were read, for the owner of its post. Null: it was read before that was noted, or not at all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sheet_imports add column summary jsonb;
    comment on column sheet_imports.summary is 'personal: delete; export: yes';`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sheet_imports drop column summary`.execute(db)
}
