import { lanePinsMax } from '#shared/limits.ts'
import type { LanePin } from '#shared/schemas/lane.ts'

// Which auction stands in which place. Pure: the same in, the same out.

export type Pins = readonly LanePin[]

/** The place of an auction, where it has one of those that are shown. */
export const slotOf = (pins: Pins, postId: string, places: number): number | undefined => {
  const slot = pins.find((pin) => pin.postId === postId)?.slot ?? undefined
  return slot !== undefined && slot <= places ? slot : undefined
}

export const inSlot = (pins: Pins, slot: number): string | undefined => pins.find((pin) => pin.slot === slot)?.postId

/** The numbers of so many places. */
export const slotsOf = (places: number): number[] => Array.from({ length: places }, (_, index) => index + 1)

/** With the auction in that place, or in the strip alone; whatever stood there goes to the strip. At most so many: the first pinned leave. */
export function withPin(pins: Pins, postId: string, slot: number | null): LanePin[] {
  const others = pins
    .filter((pin) => pin.postId !== postId)
    .map((pin) => (slot !== null && pin.slot === slot ? { ...pin, slot: null } : pin))
  const all = [...others, { postId, slot }]
  const excess = all.length - lanePinsMax
  if (excess <= 0) return all
  const leaving = new Set(
    all
      .filter((pin) => pin.slot === null && pin.postId !== postId)
      .slice(0, excess)
      .map((pin) => pin.postId),
  )
  return all.filter((pin) => !leaving.has(pin.postId)).slice(-lanePinsMax)
}

export const withoutPin = (pins: Pins, postId: string): LanePin[] => pins.filter((pin) => pin.postId !== postId)

interface Around {
  pins: Pins
  places: number
  /** The place that has the focus: nothing comes there by itself. */
  focused: number | undefined
  /** Over, and nothing that this dealer has to do with. */
  isOver: (postId: string) => boolean
  /** Whether this dealer has bid on it. */
  hasBid: (postId: string) => boolean
  /** Whether this dealer has said that it stays. */
  isKept: (postId: string) => boolean
  leads: (postId: string) => boolean
}

/** Which of these places is given away first: a free one, an ended one, one where the dealer never bid; none of what is kept. */
function spareSlot(
  slots: readonly number[],
  { pins, isOver, hasBid, isKept }: Omit<Around, 'leads'>,
): number | undefined {
  const held = (is: (postId: string) => boolean) => (slot: number) => {
    const postId = inSlot(pins, slot)
    return postId !== undefined && !isKept(postId) && is(postId)
  }
  return (
    slots.find((slot) => inSlot(pins, slot) === undefined) ??
    slots.find(held(isOver)) ??
    slots.find(held((postId) => !hasBid(postId)))
  )
}

/** Where an auction goes by itself, beside the focused place; null: the strip alone. */
export const slotByItself = (around: Omit<Around, 'leads'>): number | null =>
  spareSlot(
    slotsOf(around.places).filter((slot) => slot !== around.focused),
    around,
  ) ?? null

/**
 * Where an auction goes by a press: to a spare place, of equal ones the focused; else to the focused one, or the first. Where the dealer
 * leads only if they lead everywhere.
 */
export function slotByPress(around: Around, wanted?: number): number {
  const { pins, places, focused, leads } = around
  const first = wanted ?? focused
  const isShown = first !== undefined && first <= places
  const slots = isShown ? [first, ...slotsOf(places).filter((slot) => slot !== first)] : slotsOf(places)
  const isSafe = (slot: number) => {
    const postId = inSlot(pins, slot)
    return postId === undefined || !leads(postId)
  }
  const asked = wanted !== undefined && isShown && isSafe(wanted) ? wanted : undefined
  return asked ?? spareSlot(slots, around) ?? slots.find(isSafe) ?? slots[0] ?? 1
}
