import { lanePinsMax } from '#shared/limits.ts'
import type { LanePin } from '#shared/schemas/lane.ts'

// A position is a numbered cell of the Lane's grid that shows one auction. A pinned auction without a position appears only in the strip,
// which lists the dealer's auctions above the grid.

export type Pins = readonly LanePin[]

export const slotOf = (pins: Pins, postId: string, positionCount: number): number | undefined => {
  const slot = pins.find((pin) => pin.postId === postId)?.slot ?? undefined
  return slot !== undefined && slot <= positionCount ? slot : undefined
}

export const inSlot = (pins: Pins, slot: number): string | undefined => pins.find((pin) => pin.slot === slot)?.postId

export const slotsOf = (positionCount: number): number[] =>
  Array.from({ length: positionCount }, (_, index) => index + 1)

/**
 * Puts the auction into a position, or only into the strip if `slot` is null. The auction that it replaces moves to the strip. If there are
 * too many pins, drops the oldest pins that are only in the strip.
 */
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

/**
 * Plans which auctions go into which positions. Auctions for which `stays` returns true keep their positions.
 * @param soonest the auctions to show, the most wanted first
 * @returns the number of these auctions that will be shown, and the pins: the same object if nothing changes
 */
export function filledPins(
  pins: Pins,
  positionCount: number,
  stays: (postId: string) => boolean,
  soonest: readonly string[],
): { count: number; pins: Pins } {
  const shown = slotsOf(positionCount).map((slot) => ({ slot, postId: inSlot(pins, slot) }))
  const staying = shown.flatMap(({ postId }) => (postId !== undefined && stays(postId) ? [postId] : []))
  const wanted = soonest.filter((postId) => !staying.includes(postId)).slice(0, positionCount - staying.length)
  const settled = new Set([...staying, ...wanted])
  const givesWay = shown.filter(({ postId }) => postId === undefined || !settled.has(postId))
  // Use empty positions first.
  const order = givesWay.toSorted((a, b) => Number(a.postId !== undefined) - Number(b.postId !== undefined))
  const added = wanted.filter((postId) => slotOf(pins, postId, positionCount) === undefined)
  const after = order
    .slice(0, added.length)
    .reduce<Pins>(
      (held, { slot, postId }, index) =>
        withPin(postId === undefined ? held : withoutPin(held, postId), added[index] ?? '', slot),
      pins,
    )
  return { count: wanted.length, pins: after }
}

interface GridState {
  pins: Pins
  positionCount: number
  /** The focused position. No auction is added there automatically. */
  focused: number | undefined
  isOver: (postId: string) => boolean
  hasBid: (postId: string) => boolean
  isKept: (postId: string) => boolean
  leads: (postId: string) => boolean
}

/**
 * Returns the position to reuse: an empty position, otherwise a position whose auction has ended, otherwise a position without a bid of
 * this dealer. Never returns a position whose auction the dealer has chosen to keep.
 */
function spareSlot(
  slots: readonly number[],
  { pins, isOver, hasBid, isKept }: Omit<GridState, 'leads'>,
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

/** Returns the position for an auction that is added automatically, never the focused one. Null if the auction fits only into the strip. */
export const slotForAutoPin = (grid: Omit<GridState, 'leads'>): number | null =>
  spareSlot(
    slotsOf(grid.positionCount).filter((slot) => slot !== grid.focused),
    grid,
  ) ?? null

/**
 * Returns the position for an auction that the dealer opens: the `wanted` one, otherwise one to reuse, otherwise the focused or first one.
 * Replaces an auction that the dealer leads only if there is no other choice.
 */
export function slotForOpened(grid: GridState, wanted?: number): number {
  const { pins, positionCount, focused, leads } = grid
  const first = wanted ?? focused
  const isShown = first !== undefined && first <= positionCount
  const slots = isShown ? [first, ...slotsOf(positionCount).filter((slot) => slot !== first)] : slotsOf(positionCount)
  const isSafe = (slot: number) => {
    const postId = inSlot(pins, slot)
    return postId === undefined || !leads(postId)
  }
  const asked = wanted !== undefined && isShown && isSafe(wanted) ? wanted : undefined
  return asked ?? spareSlot(slots, grid) ?? slots.find(isSafe) ?? slots[0] ?? 1
}
