import { useEffect } from 'react'
import { defineSlice } from '#client/lib/slice.ts'

const open = defineSlice<{ postIds: Record<string, true> }>('open-auctions', () => ({ postIds: {} }))

/** Whether the auction's dialog is on screen: then a toast would repeat it. */
export const isAuctionOpen = (postId: string): boolean => open.get().postIds[postId] ?? false

/** Says that the auction's dialog is on screen while the component is. */
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
