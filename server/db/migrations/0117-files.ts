import { sql, type Kysely } from 'kysely'

/**
 * Who may see a file is decided by what shows it: a post, a comment, a message or a profile. The first three have an
 * index by the file's address already, and here the fourth gets one. Uploads that were shown once and are not any more
 * were kept for good: from now on the sweep finds them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table objects
      drop constraint objects_kind_check,
      add constraint objects_kind_check check (kind in ('photo', 'attachment', 'sheet', 'avatar'))`.execute(db)
  await sql`create index dealers_avatar on dealers (avatar) where avatar is not null`.execute(db)
  await sql`
    update objects set kind = 'avatar' from dealers where dealers.avatar = '/api/objects/' || objects.id`.execute(db)
  await sql`create index objects_avatars on objects (dealer_id, id desc) where kind = 'avatar'`.execute(db)
  await sql`
    update objects set attached_at = null
    where attached_at is not null
      and not exists (select from dealers where avatar = '/api/objects/' || objects.id)
      and not exists (select from photos where url = '/api/objects/' || objects.id)
      and not exists (select from comments where attachment_object = objects.id)
      and not exists (select from messages where attachment_url = '/api/objects/' || objects.id)`.execute(db)
}
