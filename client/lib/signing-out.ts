import { defineSlice } from './slice.ts'

const signingOutStore = defineSlice('signingOut', () => ({ signingOut: false }))

/** Whether the dealer is logging out just now: nothing of the app is shown any more, nor asks for anything. */
export const useSigningOut = (): boolean => signingOutStore.use(({ signingOut }) => signingOut)

/** For good: the page goes, too. */
export function startSigningOut(): void {
  signingOutStore.set((state) => void (state.signingOut = true))
}
