-- A make, model or trim as it is compared: F-150, F150 and f 150 are one. The same as wordKey of shared/vehicle-traits.ts.
create or replace function word_key(label text) returns text language sql immutable parallel safe as $$
  select coalesce(lower(regexp_replace(label, '[ \t\n~,-]+', '', 'g')), '')
$$;
