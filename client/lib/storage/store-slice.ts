import { type Draft, enableMapSet } from 'immer'
import { useStore } from 'zustand'
import { immer } from 'zustand/middleware/immer'
import { createStore } from 'zustand/vanilla'
import { tab } from './tab-state.ts'

enableMapSet()

const initialStates: Record<string, () => object> = {}

/** The tab's only store, for state that the server does not own or that events update one by one. */
const store = createStore<Record<string, unknown>>()(immer(() => ({})))

/** One feature's part of the store. All code can read and write it, and components can subscribe to it. */
export interface Slice<State> {
  get: () => State
  /** Changes the state through an Immer draft. Parts that do not change keep their references. */
  set: (recipe: (draft: Draft<State>) => void) => void
  /** The selector must return the same reference as long as nothing changes. */
  use: <T>(selector: (state: State) => T) => T
  reset: () => void
}

export function defineSlice<State extends object>(name: string, initial: () => State): Slice<State> {
  initialStates[name] = initial
  const reset = () => store.setState((all) => void (all[name] = initial()))
  reset()
  return {
    get: () => store.getState()[name] as State,
    set: (recipe) => store.setState((all) => recipe(all[name] as Draft<State>)),
    use: (selector) => useStore(store, (all) => selector(all[name] as State)),
    reset,
  }
}

/** Deletes a record's oldest entries if there are more than `kept`, so that the record cannot grow all day. */
export function keepNewest(record: Record<string, unknown>, kept: number): void {
  const names = Object.keys(record)
  for (const name of names.slice(0, Math.max(0, names.length - kept))) delete record[name]
}

/** Resets every slice and aborts the dealer's background work. */
export function resetStore(): void {
  store.setState(() => Object.fromEntries(Object.entries(initialStates).map(([name, initial]) => [name, initial()])))
  tab.signOut.abort()
  tab.signOut = new AbortController()
}

export const wholeStore = (): Record<string, unknown> => store.getState()
