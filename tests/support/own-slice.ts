import { produce } from 'immer'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Slice } from '#client/lib/storage/store-slice.ts'

/** Returns a slice with its own store. `defineSlice` would add it to the tab's store, which all test files of a process share. */
export function ownSlice<State extends object>(initial: () => State): Slice<State> {
  const store = createStore<State>(initial)
  return {
    get: store.getState,
    set: (recipe) => store.setState((state) => produce(state, recipe), true),
    use: (selector) => useStore(store, selector),
    reset: () => store.setState(initial(), true),
  }
}
