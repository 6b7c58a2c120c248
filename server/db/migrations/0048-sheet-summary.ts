import { sql, type Kysely } from 'kysely'

/** The columns of a spreadsheet that were read, shown to the owner of its post. Null if it was read by an earlier version or not at all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sheet_imports add column summary jsonb;
    comment on column sheet_imports.summary is 'personal: delete; export: yes';`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sheet_imports drop column summary`.execute(db)
}
