import { useEffect } from 'react'
import { defineSlice } from '#client/lib/slice.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** The post whose auction somebody has opened, as it was known then: the popup outlives the card that it was opened from. */
const popup = defineSlice<{ post: Post | undefined }>('auction-popup', () => ({ post: undefined }))

export const useOpenedAuction = (): Post | undefined => popup.use(({ post }) => post)

export const openAuction = (post: Post): void => popup.set((state) => void (state.post = post))

export const closeAuction = (): void => popup.set((state) => void (state.post = undefined))

const open = defineSlice<{ postIds: Record<string, true> }>('open-auctions', () => ({ postIds: {} }))

/** Whether the auction's popup is on screen: then a toast would repeat it. */
export const isAuctionOpen = (postId: string): boolean => open.get().postIds[postId] ?? false

/** Says that the auction's popup is on screen while the component is. */
export function useOpenAuction(postId: string): void {
  useEffect(() => {
    open.set(({ postIds }) => void (postIds[postId] = true))
    forgetOutbid(postId)
    return () => open.set(({ postIds }) => void delete postIds[postId])
  }, [postId])
}

/** The auction in which this dealer led last, and was outbid. */
export interface Outbid {
  postId: string
  title: string
  /** Dollars, that lead instead. */
  amount: number
}

export const outbidStore = defineSlice<{ last: Outbid | undefined }>('outbid', () => ({ last: undefined }))

export const noteOutbid = ({ postId, title, amount }: Outbid): void =>
  outbidStore.set((state) => void (state.last = { postId, title, amount }))

/** It is so no more: that auction is decided, this dealer leads again, or has it open. */
export const forgetOutbid = (postId: string): void =>
  outbidStore.set((state) => {
    if (state.last?.postId === postId) state.last = undefined
  })
