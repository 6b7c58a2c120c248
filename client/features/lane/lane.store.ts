import { defineSlice, keepNewest } from '#client/lib/storage/store-slice.ts'
import { lanePinsMax } from '#shared/limits.ts'

interface LaneState {
  focused: number | undefined
  focusedAtMs: number
  hovered: number | undefined
  /** True if the pointer entered a grid position after the last focus change or key press. */
  isPointed: boolean
  armed: number | undefined
  /** The number of pin updates in flight. Until they settle, responses contain outdated pins. */
  pinChangesInFlight: number
  pressedAtMs: number
  /** Auctions that accepted the dealer's bid but have no grid position yet. */
  placed: string[]
  kept: Record<string, true>
  /** Auctions that are no longer for sale. Their positions show this until other auctions take the positions. */
  removed: Record<string, true>
  secondsUntilRefill: Record<string, number>
}

export const laneStore = defineSlice<LaneState>('lane', () => ({
  focused: undefined,
  focusedAtMs: 0,
  hovered: undefined,
  isPointed: false,
  armed: undefined,
  pinChangesInFlight: 0,
  pressedAtMs: 0,
  placed: [],
  kept: {},
  removed: {},
  secondsUntilRefill: {},
}))

/**
 * Returns the active grid position: the one with an armed amount (a bid awaiting confirmation), otherwise the last one pointed at or
 * focused.
 */
export const activeOf = ({ armed, isPointed, hovered, focused }: LaneState): number | undefined =>
  armed ?? (isPointed ? (hovered ?? focused) : (focused ?? hovered))

export function noteFocus(slot: number | undefined): void {
  noteKey()
  if (laneStore.get().focused === slot) return
  laneStore.set((state) => {
    state.focused = slot
    state.focusedAtMs = Date.now()
  })
}

/** Makes the focused position active, even if the pointer is over another position. */
export function noteKey(): void {
  if (laneStore.get().isPointed) laneStore.set((state) => void (state.isPointed = false))
}

export const noteHover = (slot: number): void =>
  laneStore.set((state) => void Object.assign(state, { hovered: slot, isPointed: true }))

/** Counts pin updates in flight. Never drops below zero, because an update may settle after the store was reset. */
export const countPinChanges = (more: 1 | -1): void =>
  laneStore.set((state) => void (state.pinChangesInFlight = Math.max(0, state.pinChangesInFlight + more)))

export const hasPinChangesInFlight = (): boolean => laneStore.get().pinChangesInFlight > 0

/** Records that the dealer pressed a bid button or filled the grid. For a few seconds, no auction is added automatically. */
export const notePress = (): void => laneStore.set((state) => void (state.pressedAtMs = Date.now()))

export const noteKept = (postId: string): void =>
  laneStore.set(({ kept }) => {
    kept[postId] = true
    keepNewest(kept, lanePinsMax)
  })

/** Records that the server accepted a bid of this dealer, placed on any screen. */
export const notePlaced = (postId: string): void =>
  laneStore.set((state) => {
    if (!state.placed.includes(postId)) state.placed.push(postId)
  })

export const forgetPlaced = (postIds: readonly string[]): void =>
  laneStore.set((state) => {
    state.placed = state.placed.filter((postId) => !postIds.includes(postId))
  })

/** Maximum number of ids in `removed`. Must exceed the number of pinned auctions plus the auctions in a response in flight. */
const removedMax = 500

export const recordRemoved = (removed: readonly string[], restored: readonly string[]): void =>
  laneStore.set((state) => {
    for (const postId of restored) delete state.removed[postId]
    for (const postId of removed) state.removed[postId] = true
    keepNewest(state.removed, removedMax)
  })
