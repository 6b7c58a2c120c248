import { defineSlice } from '#client/lib/slice.ts'

interface LaneState {
  /** The place that has the focus, and since when, in ms of this machine's clock. */
  focused: number | undefined
  focusedAtMs: number
  /** The place under the pointer. */
  hovered: number | undefined
  /** Whether the pointer came to its place after the focus, or a key, did. */
  isPointed: boolean
  /** The place in which an amount waits for its confirmation. */
  armed: number | undefined
  /** Choices of pins that the server has not taken yet: until then an answer knows them as they were. */
  waitingPins: number
  /** When the dealer last pressed a bid. */
  pressedAtMs: number
  /** Auctions of which a bid was taken and that have not been given a place since. */
  placed: string[]
  /** Auctions that stay although they are over. */
  kept: Record<string, true>
  /** Auctions of which this tab has heard that they are no longer on offer: one in a place says so there. */
  gone: Record<string, true>
  /** Seconds until another auction comes, where one is over. */
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

/** The place that is looked at: where an amount is armed, else where the pointer or the focus came last. */
export const activeOf = ({ armed, isPointed, hovered, focused }: LaneState): number | undefined =>
  armed ?? (isPointed ? (hovered ?? focused) : (focused ?? hovered))

/** The focus is in that place, or in none. */
export function noteFocus(slot: number | undefined): void {
  noteKey()
  if (laneStore.get().focused === slot) return
  laneStore.set((state) => {
    state.focused = slot
    state.focusedAtMs = Date.now()
  })
}

/** A key was pressed: what has the focus is looked at, wherever the pointer rests. */
export function noteKey(): void {
  if (laneStore.get().isPointed) laneStore.set((state) => void (state.isPointed = false))
}

/** The pointer rests in that place. */
export const noteHover = (slot: number): void =>
  laneStore.set((state) => void Object.assign(state, { hovered: slot, isPointed: true }))

/** A choice of a session that has ended counts no more. */
export const countPins = (more: 1 | -1): void =>
  laneStore.set((state) => void (state.waitingPins = Math.max(0, state.waitingPins + more)))

export const waitsWithPins = (): boolean => laneStore.get().waitingPins > 0

/** The dealer has pressed a bid: for a moment nothing comes into a place by itself. */
export const notePress = (): void => laneStore.set((state) => void (state.pressedAtMs = Date.now()))

/** A bid of this dealer was taken, on whatever screen. */
export const notePlaced = (postId: string): void =>
  laneStore.set((state) => {
    if (!state.placed.includes(postId)) state.placed.push(postId)
  })

export const forgetPlaced = (postIds: readonly string[]): void =>
  laneStore.set((state) => {
    state.placed = state.placed.filter((postId) => !postIds.includes(postId))
  })

/** These are no longer on offer, and those may be again. */
export const noteGone = (gone: readonly string[], back: readonly string[]): void =>
  laneStore.set((state) => {
    for (const postId of back) delete state.gone[postId]
    for (const postId of gone) state.gone[postId] = true
  })
