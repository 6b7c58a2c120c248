import { sql, type Kysely } from 'kysely'

/** Content of a paper as issued. Null for papers issued earlier; their content is read from the deal and its parties. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deal_documents add column content jsonb`.execute(db)
  await sql`comment on column deal_documents.content is
    'personal: keep (the other side of the deal has it in its books); export: no (drawn in the paper)'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deal_documents drop column content`.execute(db)
}
