/** States and provinces by time zone. A state with two zones gets the zone where most people live. */
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

export const stateZones: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(regionsOf).flatMap(([timeZone, regions]) => regions.split(' ').map((region) => [region, timeZone])),
)
