-- True if a suspension is in force. A suspension with an end expires by itself. PostgreSQL inlines this function into the query, so
-- that indexes can be used.
create or replace function is_suspended(since timestamptz, until timestamptz) returns boolean
language sql stable as $$
  select since is not null and (until is null or until > now())
$$;
