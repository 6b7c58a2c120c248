/** `distanceUnit` is a column that says whether the mileage is in miles or kilometers. */
export const sheetFields = [
  'vin',
  'year',
  'make',
  'model',
  'trim',
  'mileage',
  'distanceUnit',
  'price',
  'color',
  'city',
  'state',
  'notes',
  'location',
] as const
