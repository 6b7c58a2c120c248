import { sql, type Kysely } from 'kysely'

/** What a version of a paper says, from when it was issued. Null: of before, which is read off the deal and its parties. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deal_documents add column content jsonb`.execute(db)
  await sql`comment on column deal_documents.content is
    'personal: keep (the other side of the deal has it in its books); export: no (drawn in the paper)'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deal_documents drop column content`.execute(db)
}
