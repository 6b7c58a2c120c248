-- Returns the place of a ZIP or postal code as typed, or null if it is unknown. For an unlisted ZIP, returns the center of all ZIPs with
-- the same first three digits. Only the first three characters of a Canadian code count.
create or replace function place_of(zip text) returns integer language sql stable as $$
  select p.id from
    (select upper(regexp_replace(zip, '[^A-Za-z0-9]', '', 'g')) as code) typed
    join postal_places p on p.code = any (case
      when typed.code ~ '^[0-9]{5}([0-9]{4})?$' then array[left(typed.code, 5), left(typed.code, 3)]
      when typed.code ~ '^[A-Z][0-9][A-Z]([0-9][A-Z][0-9])?$' then array[left(typed.code, 3)] end)
  order by length(p.code) desc limit 1
$$;
