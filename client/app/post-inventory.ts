import { defineSlice } from '#client/lib/slice.ts'

/** The app frame shows the dialog, whichever page opens it. */
export const postInventory = defineSlice<{ asked: boolean }>('post-inventory', () => ({ asked: false }))

export const openPostInventory = (): void => postInventory.set((state) => void (state.asked = true))
