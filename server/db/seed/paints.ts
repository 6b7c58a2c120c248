import type { ShapeName } from './photos/body-shapes.ts'
import type { Paint } from './photos/svg.ts'

/** `names` are the color's names that manufacturers and dealers use. */
export interface PaintGroup {
  paint: Paint
  names: readonly string[]
  weight: number
  /** Body types that are available in this color; undefined if all of them are. */
  only?: readonly ShapeName[]
}

export const paintGroups: readonly PaintGroup[] = [
  { paint: ['#ffffff', '#e9ecee', '#aeb6be'], names: ['White', 'Oxford White', 'Summit White', 'Pearl White', 'Super White'], weight: 25 },
  { paint: ['#5b6570', '#20252b', '#0b0e11'], names: ['Black', 'Agate Black', 'Midnight Black', 'Crystal Black'], weight: 22 },
  { paint: ['#99a3ad', '#5f6972', '#343c44'], names: ['Gray', 'Magnetic Gray', 'Granite Crystal', 'Gun Metallic'], weight: 19 },
  { paint: ['#dfe4e9', '#aab2ba', '#6a737d'], names: ['Silver', 'Iconic Silver', 'Lunar Silver', 'Celestial Silver'], weight: 12 },
  { paint: ['#5c8bbf', '#1f4a7a', '#0f2947'], names: ['Blue', 'Velocity Blue', 'Blueprint', 'Aegean Blue'], weight: 10 },
  { paint: ['#d65a5c', '#9c1f26', '#5a0d13'], names: ['Red', 'Rapid Red', 'Ruby Flare', 'Soul Red'], weight: 8 },
  { paint: ['#6b8a79', '#2f4a3d', '#172a21'], names: ['Green', 'Army Green', 'Cypress'], weight: 2, only: ['pickup', 'pickup-mid', 'suv-offroad', 'crossover-box'] },
  { paint: ['#ded3bd', '#b3a58c', '#75694f'], names: ['Quicksand', 'Gold', 'Beige', 'Pebble'], weight: 2, only: ['pickup', 'sedan', 'suv-full'] },
] // oxfmt-ignore

/** Returns `group` if the body type is available in its color, otherwise the most common color. */
export function paintFor(shape: ShapeName, group: PaintGroup): PaintGroup {
  return group.only === undefined || group.only.includes(shape) ? group : (paintGroups[0] ?? group)
}
