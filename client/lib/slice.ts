import { type Draft, enableMapSet } from 'immer'
import { useStore } from 'zustand'
import { immer } from 'zustand/middleware/immer'
import { createStore } from 'zustand/vanilla'
import { tab } from './tab.ts'

enableMapSet()

/** The beginning of every slice, by name: nothing of one dealer is left for the next one in the same tab. */
const beginnings: Record<string, () => object> = {}

/** The one store of this tab. Only what the server does not own, or what has to be followed event by event. */
const store = createStore<Record<string, unknown>>()(immer(() => ({})))

/** A feature's part of the store: read and written anywhere, watched by components. */
export interface Slice<State> {
  get: () => State
  /** Changes a draft (immer); what is not touched keeps its identity. */
  set: (recipe: (draft: Draft<State>) => void) => void
  /** Watches one value; a selector answers something that stays identical while nothing changed. */
  use: <T>(selector: (state: State) => T) => T
  /** Back to the beginning, as for another dealer in the same tab. */
  reset: () => void
}

export function defineSlice<State extends object>(name: string, initial: () => State): Slice<State> {
  beginnings[name] = initial
  const reset = () => store.setState((all) => void (all[name] = initial()))
  reset()
  return {
    get: () => store.getState()[name] as State,
    set: (recipe) => store.setState((all) => recipe(all[name] as Draft<State>)),
    use: (selector) => useStore(store, (all) => selector(all[name] as State)),
    reset,
  }
}

/** Every slice back to its beginning; what goes on beside them for the dealer ends. */
export function resetStore(): void {
  store.setState(() => Object.fromEntries(Object.entries(beginnings).map(([name, initial]) => [name, initial()])))
  tab.leaving.abort()
  tab.leaving = new AbortController()
}

/** All of it, for who looks at the whole. */
export const wholeStore = (): Record<string, unknown> => store.getState()
