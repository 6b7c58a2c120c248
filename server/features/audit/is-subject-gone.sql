-- True if the subject of an audit entry was permanently deleted: its dealer or its contact message. Only in that case may the person's
-- name be removed from the entry. The kinds are listed in `personalSubjects` of shared/audit.ts. Subjects of the network itself (a plan, a
-- queue, a banner) name no person and never count as deleted.
create or replace function is_subject_gone(kind text, subject_id text) returns boolean
language plpgsql
stable
as $$
begin
  if subject_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return false; end if;
  return case kind
    when 'user' then exists (select from dealers d where d.id = subject_id::uuid and d.deleted_at is not null)
    when 'dealer' then exists (select from dealers d where d.id = subject_id::uuid and d.deleted_at is not null)
    when 'post' then exists (
      select from posts p join dealers d on d.id = p.dealer_id where p.id = subject_id::uuid and d.deleted_at is not null)
    when 'comment' then exists (
      select from comments c join dealers d on d.id = c.dealer_id where c.id = subject_id::uuid and d.deleted_at is not null)
    when 'message' then exists (
      select from messages m join dealers d on d.id = m.sender_id where m.id = subject_id::uuid and d.deleted_at is not null)
    -- An entry about a deal names both dealers.
    when 'deal' then exists (
      select from deals join dealers d on d.id in (deals.seller_id, deals.buyer_id)
      where deals.id = subject_id::uuid and d.deleted_at is not null)
    when 'contact' then not exists (select from contact_messages m where m.id = subject_id::uuid)
    else false
  end;
end $$;
