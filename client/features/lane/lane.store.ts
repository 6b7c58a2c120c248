import { defineSlice, keepNewest } from '#client/lib/storage/store-slice.ts'
import { lanePinsMax } from '#shared/limits.ts'

interface LaneState {
  focused: number | undefined
  focusedAtMs: number
  hovered: number | undefined
  /** True if the pointer entered its position after the last focus change or key press. */
  isPointed: boolean
  armed: number | undefined
  /** Pin changes in flight. Until they settle, responses contain old pins. */
  waitingPins: number
  pressedAtMs: number
  /** Auctions where a bid was placed and that have no position yet. */
  placed: string[]
  /** Ended auctions that the dealer keeps in their positions. */
  kept: Record<string, true>
  /** Auctions that are no longer on offer. Their positions are marked "No longer on offer". */
  gone: Record<string, true>
  leaving: Record<string, number>
}

export const laneStore = defineSlice<LaneState>('lane', () => ({
  focused: undefined,
  focusedAtMs: 0,
  hovered: undefined,
  isPointed: false,
  armed: undefined,
  waitingPins: 0,
  pressedAtMs: 0,
  placed: [],
  kept: {},
  gone: {},
  leaving: {},
}))

/** The active position: with an armed amount, else where the pointer or focus was last. */
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

/** Records a key press: the focused position becomes active, wherever the pointer rests. */
export function noteKey(): void {
  if (laneStore.get().isPointed) laneStore.set((state) => void (state.isPointed = false))
}

export const noteHover = (slot: number): void =>
  laneStore.set((state) => void Object.assign(state, { hovered: slot, isPointed: true }))

/** Counts pin changes in flight. Stops at zero, because a change may settle after the store was reset. */
export const countPins = (more: 1 | -1): void =>
  laneStore.set((state) => void (state.waitingPins = Math.max(0, state.waitingPins + more)))

export const waitsWithPins = (): boolean => laneStore.get().waitingPins > 0

/** Records a bid press, or one that fills the positions. For a moment, no auction is added automatically. */
export const notePress = (): void => laneStore.set((state) => void (state.pressedAtMs = Date.now()))

/** Records that the dealer keeps an ended auction in its position. */
export const noteKept = (postId: string): void =>
  laneStore.set(({ kept }) => {
    kept[postId] = true
    keepNewest(kept, lanePinsMax)
  })

/** Records that a bid of this dealer was accepted, on any screen. */
export const notePlaced = (postId: string): void =>
  laneStore.set((state) => {
    if (!state.placed.includes(postId)) state.placed.push(postId)
  })

export const forgetPlaced = (postIds: readonly string[]): void =>
  laneStore.set((state) => {
    state.placed = state.placed.filter((postId) => !postIds.includes(postId))
  })

/** More than the pinned auctions and those in a response that is still on its way. */
const goneMax = 500

/** Records which auctions are no longer on offer, and which are again. */
export const noteGone = (gone: readonly string[], back: readonly string[]): void =>
  laneStore.set((state) => {
    for (const postId of back) delete state.gone[postId]
    for (const postId of gone) state.gone[postId] = true
    keepNewest(state.gone, goneMax)
  })
