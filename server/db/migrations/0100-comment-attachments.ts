import { sql, type Kysely } from 'kysely'

/** A comment's attachment by the upload it shows, whose state it follows, and by the name its author's file had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table comments
      add column attachment_name text check (length(attachment_name) <= 200),
      add column attachment_object uuid generated always as (
        case when attachment_url ~ '^/api/objects/[0-9a-f-]{36}$' then right(attachment_url, 36)::uuid end
      ) stored`.execute(db)
  await sql`
    create index comments_attachment_object on comments (attachment_object) where attachment_object is not null`.execute(
    db,
  )
}
