-- Returns the key by which makes, models and trims are compared. F-150, F150 and f 150 have the same key. wordKey in
-- shared/vehicle-traits.ts implements the same rule.
create or replace function word_key(label text) returns text language sql immutable parallel safe as $$
  select coalesce(lower(regexp_replace(label, '[ \t\n~,-]+', '', 'g')), '')
$$;
