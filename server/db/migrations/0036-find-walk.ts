import { sql, type Kysely } from 'kysely'

/** Progress of the comparison of Find's rows with their posts. Any process continues from here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table find_walk (
      only_row boolean primary key default true check (only_row),
      -- Null: the last post was compared, so start again. The post may have been deleted meanwhile.
      reached_post_id uuid
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table find_walk;`.execute(db)
}
