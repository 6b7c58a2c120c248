import { defineSlice } from '#client/lib/storage/store-slice.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** The post whose auction is open, as it was when opened. Stored here, because the popup may outlive the post's card. */
const popup = defineSlice<{ post: Post | undefined }>('auction-popup', () => ({ post: undefined }))

export const useOpenedAuction = (): Post | undefined => popup.use(({ post }) => post)

export const openAuction = (post: Post): void => popup.set((state) => void (state.post = post))

export const closeAuction = (): void => popup.set((state) => void (state.post = undefined))
