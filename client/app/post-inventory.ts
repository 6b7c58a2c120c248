import { defineSlice } from '#client/lib/storage/store-slice.ts'

export const postInventory = defineSlice<{ asked: boolean }>('post-inventory', () => ({ asked: false }))

export const openPostInventory = (): void => postInventory.set((state) => void (state.asked = true))
