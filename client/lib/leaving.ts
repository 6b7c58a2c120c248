import { defineSlice } from './slice.ts'

const leavingStore = defineSlice('leaving', () => ({ leaving: false }))

/** Whether the dealer is logging out just now: nothing of the app is shown any more, nor asks for anything. */
export const useLeaving = (): boolean => leavingStore.use(({ leaving }) => leaving)

/** For good: the page goes, too. */
export function startLeaving(): void {
  leavingStore.set((state) => void (state.leaving = true))
}
