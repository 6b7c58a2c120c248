-- True if this reader may see the file: the reader's own files, and the files of everything that the reader can read. Moderators also see
-- the files of everything that was reported. Reads the current rows, so that hiding, removing or restoring something takes effect on its
-- files at once. This is a function because planning the query takes several times as long as running it, and a page needs it many times.
create or replace function is_object_visible(object_id uuid, owner uuid, object_path text, reader uuid, is_moderator boolean)
returns boolean
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
begin
  return owner = reader
    or exists (select from photos h join posts p on p.id = h.post_id
      where h.url = object_path and (
        p.deleted_at is null and (p.hidden_at is null or p.dealer_id = reader)
        or is_moderator and exists (select from reports r where r.subject_kind = 'post' and r.subject_id = p.id)))
    or exists (select from dealers d where d.avatar = object_path)
    or is_moderator and exists (select from dealers d where d.license_scan = object_path)
    or exists (select from messages m where m.attachment_url = object_path and (
      m.hidden_at is null and exists (select from chat_members c where c.chat_id = m.chat_id and c.dealer_id = reader)
      or is_moderator and exists (select from reports r where r.subject_kind = 'message' and r.subject_id = m.id)))
    or exists (select from comments c join posts p on p.id = c.post_id where c.attachment_object = object_id and (
      p.deleted_at is null and (p.hidden_at is null or p.dealer_id = reader)
        and (c.hidden_at is null or c.dealer_id = reader)
      or is_moderator and exists (select from reports r where r.subject_kind = 'comment' and r.subject_id = c.id)));
end $$;
