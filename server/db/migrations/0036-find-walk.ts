import { sql, type Kysely } from 'kysely'

/** How far Find's rows have been compared with their posts: it goes on there, whichever process does it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table find_walk (
      only_row boolean primary key default true check (only_row),
      -- Null: after the last post, so it begins again. A post that is gone meanwhile is a place all the same.
      reached_post_id uuid
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table find_walk;`.execute(db)
}
