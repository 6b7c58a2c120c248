-- Returns the name of a time zone, or null if this database does not know it. Browsers may use a name that it does not know.
create or replace function known_zone(name text) returns text
language plpgsql
stable
strict
as $$
begin
  perform now() at time zone name;
  return name;
exception when invalid_parameter_value then
  return null;
end
$$
