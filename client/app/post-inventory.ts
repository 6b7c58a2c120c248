import { defineSlice } from '#client/lib/slice.ts'

/** The frame shows the dialog, whichever page asks for it. */
export const postInventory = defineSlice<{ asked: boolean }>('post-inventory', () => ({ asked: false }))

/** Opens Post Inventory. */
export const openPostInventory = (): void => postInventory.set((state) => void (state.asked = true))
