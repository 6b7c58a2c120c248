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

const freeSlots = (pins: Pins, places: number): number[] =>
  slotsOf(places).filter((slot) => inSlot(pins, slot) === undefined)

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
}

/** Where an auction goes by itself: a free place, else an ended one, else one where the dealer never bid; null: the strip alone. */
export function slotByItself({ pins, places, focused, isOver, hasBid }: Around): number | null {
  const open = slotsOf(places).filter((slot) => slot !== focused)
  const held = (is: (postId: string) => boolean) => (slot: number) => {
    const postId = inSlot(pins, slot)
    return postId !== undefined && is(postId)
  }
  return (
    open.find((slot) => inSlot(pins, slot) === undefined) ??
    open.find(held(isOver)) ??
    open.find(held((postId) => !hasBid(postId))) ??
    null
  )
}

/** Where an auction goes by a press: a free place, the focused one first; else an ended one; else the focused one, or the first. */
export function slotByPress({ pins, places, focused, isOver }: Omit<Around, 'hasBid'>): number {
  const free = freeSlots(pins, places)
  if (focused !== undefined && free.includes(focused)) return focused
  const ended = slotsOf(places).find((slot) => {
    const postId = inSlot(pins, slot)
    return postId !== undefined && isOver(postId)
  })
  return free[0] ?? ended ?? Math.min(focused ?? 1, places)
}
