import { useEffect } from 'react'
import { defineSlice } from '#client/lib/slice.ts'

const open = defineSlice<{ postIds: Record<string, true> }>('open-auctions', () => ({ postIds: {} }))

/** Whether the auction's dialog is on screen: then a toast would repeat it. */
export const isAuctionOpen = (postId: string): boolean => open.get().postIds[postId] ?? false

/** Says that the auction's dialog is on screen while the component is. */
export function useOpenAuction(postId: string): void {
  useEffect(() => {
    open.set(({ postIds }) => void (postIds[postId] = true))
    return () => open.set(({ postIds }) => void delete postIds[postId])
  }, [postId])
}
