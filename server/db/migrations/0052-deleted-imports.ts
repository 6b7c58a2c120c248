import { sql, type Kysely } from 'kysely'

/** Removes the import results of deleted posts, which stayed until now. Deleting a post removes them since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from sheet_imports using posts
    where posts.id = sheet_imports.post_id and posts.deleted_at is not null`.execute(db)
}

export async function down(): Promise<void> {}
