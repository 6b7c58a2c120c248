import { useEffect } from 'react'

const open = new Set<string>()

/** Whether the auction's dialog is on screen: then a toast would repeat it. */
export const isAuctionOpen = (postId: string): boolean => open.has(postId)

/** Says that the auction's dialog is on screen while the component is. */
export function useOpenAuction(postId: string): void {
  useEffect(() => {
    open.add(postId)
    return () => void open.delete(postId)
  }, [postId])
}
