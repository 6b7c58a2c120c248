/**
 * What a vehicle is beside its make and model. Stored as numbers: the place in its list, from 1 on; 0 is not stated. New values
 * join at the end.
 */
export const bodies = ['pickup', 'suv', 'sedan', 'coupe', 'convertible', 'hatchback', 'wagon', 'van'] as const
export type Body = (typeof bodies)[number]

export const drives = ['4wd', 'awd', 'fwd', 'rwd'] as const
export type Drive = (typeof drives)[number]

export const fuels = ['gas', 'hybrid', 'plugin', 'diesel', 'electric'] as const
export type Fuel = (typeof fuels)[number]

/** In the URL of Find, and where traits are counted: the data does not say it. */
export const notStated = 'none'
export type NotStated = typeof notStated

export const traitLabels: Readonly<Record<Body | Drive | Fuel | NotStated, string>> = {
  pickup: 'Pickup',
  suv: 'SUV',
  sedan: 'Sedan',
  coupe: 'Coupe',
  convertible: 'Convertible',
  hatchback: 'Hatchback',
  wagon: 'Wagon',
  van: 'Van',
  '4wd': '4WD',
  awd: 'AWD',
  fwd: 'FWD',
  rwd: 'RWD',
  gas: 'Gas',
  hybrid: 'Hybrid',
  plugin: 'Plug-in hybrid',
  diesel: 'Diesel',
  electric: 'Electric',
  none: 'Not stated',
}

/** The number of a trait as it is stored. */
export const traitNumber = (list: readonly string[], value: string): number => list.indexOf(value) + 1

/** The trait with that number; null: not stated. */
export const traitOf = <T extends string>(list: readonly T[], number: number): T | null => list[number - 1] ?? null

/** A make, model or trim as it is compared: `F-150`, `F150` and `f 150` are one. Empty: nothing is stated. */
export const wordKey = (label: string): string => label.toLowerCase().replace(/[ \t\n~,-]+/g, '')
