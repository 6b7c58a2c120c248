import { sql, type Kysely } from 'kysely'

/** Words that no post has any more leave the vocabulary of searches: among them are names of dealers who deleted their accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from search_words
    where not exists (select from posts where posts.search @@ search_words.word::tsquery)`.execute(db)
}

/** Nothing to undo: each of these words is noted again with the next post that has it. */
export async function down(): Promise<void> {}
