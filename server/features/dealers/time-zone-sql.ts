import { sql, type RawBuilder } from 'kysely'
import { settingsOf } from '#shared/settings-defaults.ts'

/** A state with two time zones is listed under the zone where most people live. */
const regionsOf = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO ID MT NM UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR VI',
  'Pacific/Guam': 'GU MP',
  'Pacific/Pago_Pago': 'AS',
  'America/St_Johns': 'NL',
  'America/Halifax': 'NB NS PE',
  'America/Toronto': 'NU ON QC',
  'America/Winnipeg': 'MB',
  'America/Regina': 'SK',
  'America/Edmonton': 'AB NT',
  'America/Vancouver': 'BC',
  'America/Whitehorse': 'YT',
}

const stateZones: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(regionsOf).flatMap(([timeZone, regions]) => regions.split(' ').map((region) => [region, timeZone])),
)

/** The time zone of dealer `d`: from the quiet hours if set and known to PostgreSQL, otherwise from the location, otherwise the default. */
export const zone: RawBuilder<string> = sql<string>`coalesce(known_zone(d.settings #>> '{quietHours,timeZone}'),
  ${sql.lit(JSON.stringify(stateZones))}::jsonb ->> coalesce((select p.region from postal_places p where p.id = d.place_id), upper(d.state)),
  ${sql.lit(settingsOf({}).quietHours.timeZone)})`
