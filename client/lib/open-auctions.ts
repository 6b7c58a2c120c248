import { useEffect } from 'react'
import { defineSlice } from './slice.ts'

const open = defineSlice<{ postIds: Record<string, number> }>('open-auctions', () => ({ postIds: {} }))

/** Whether the auction is on screen, in its popup or in Lane: then a toast would repeat it. */
export const isAuctionOpen = (postId: string): boolean => (open.get().postIds[postId] ?? 0) > 0

/** Says that the auction is on screen while the component is. */
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
