-- Who is suspended now: a suspension with an end is over by itself. PostgreSQL writes it into the query that asks, so that
-- indexes serve as if it stood there.
create or replace function is_suspended(since timestamptz, until timestamptz) returns boolean
language sql stable as $$
  select since is not null and (until is null or until > now())
$$;
