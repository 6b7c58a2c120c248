/** The database stores a value's position in its list, starting at 1; 0 means "not stated". Append new values at the end. */
export const bodies = ['pickup', 'suv', 'sedan', 'coupe', 'convertible', 'hatchback', 'wagon', 'van'] as const
export type Body = (typeof bodies)[number]

export const drives = ['4wd', 'awd', 'fwd', 'rwd'] as const
export type Drive = (typeof drives)[number]

export const fuels = ['gas', 'hybrid', 'plugin', 'diesel', 'electric'] as const
export type Fuel = (typeof fuels)[number]

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

export const traitNumber = (list: readonly string[], value: string): number => list.indexOf(value) + 1

/** Returns the value at a stored position, starting at 1. Returns null for 0, which means "not stated". */
export const traitOf = <T extends string>(list: readonly T[], number: number): T | null => list[number - 1] ?? null

/** Normalizes a make, model or trim for comparison: `F-150`, `F150` and `f 150` have the same key. An empty key means "not stated". */
export const wordKey = (label: string): string => label.toLowerCase().replace(/[ \t\n~,-]+/g, '')
