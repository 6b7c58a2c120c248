import { sql, type Kysely } from 'kysely'

/** Removes words that no post contains from the search vocabulary, because they include names of deleted dealers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from search_words
    where not exists (select from posts where posts.search @@ search_words.word::tsquery)`.execute(db)
}

/** Irreversible, and harmless: a word returns with the next post that contains it. */
export async function down(): Promise<void> {}
