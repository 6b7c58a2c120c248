import { useEffect } from 'react'
import { defineSlice } from '../storage/store-slice.ts'

const open = defineSlice<{ postIds: Record<string, number> }>('open-auctions', () => ({ postIds: {} }))

/** True if the auction's popup or Lane pane is on screen. A toast would then repeat what the dealer already sees. */
export const isAuctionOpen = (postId: string): boolean => (open.get().postIds[postId] ?? 0) > 0

export function useOpenAuction(postId: string): void {
  useEffect(() => {
    open.set(({ postIds }) => void (postIds[postId] = (postIds[postId] ?? 0) + 1))
    forgetOutbid(postId)
    return () =>
      open.set(({ postIds }) => {
        const left = (postIds[postId] ?? 1) - 1
        if (left > 0) postIds[postId] = left
        else delete postIds[postId]
      })
  }, [postId])
}

export interface Outbid {
  postId: string
  title: string
  amount: number
}

export const outbidStore = defineSlice<{ last: Outbid | undefined }>('outbid', () => ({ last: undefined }))

export const noteOutbid = ({ postId, title, amount }: Outbid): void =>
  outbidStore.set((state) => void (state.last = { postId, title, amount }))

/** Clears the outbid notice. Call this when the auction is decided, or when the dealer leads again or opens the auction. */
export const forgetOutbid = (postId: string): void =>
  outbidStore.set((state) => {
    if (state.last?.postId === postId) state.last = undefined
  })
