import type { LiveHandlers } from '#client/lib/live/live-queries.ts'
import type { AuctionEvents } from '#shared/events/auctions.ts'
import { auctionQuery, storeAuctionEvent, withState } from '#client/lib/auction/cached-auctions.ts'
import { isAuctionOpen, noteOutbid } from '#client/lib/auction/auctions-on-screen.ts'

export const auctionsLive: LiveHandlers<AuctionEvents> = {
  'auction.state': (cache, state) => {
    storeAuctionEvent(cache, state)
    const { queryKey } = auctionQuery(state.postId)
    const known = cache.getQueryData(queryKey)
    if (!known) return
    cache.setQueryData(queryKey, withState(known, state))
    // The auction was restarted, or its status changed. Refetch it, because data that only this dealer can see has also changed.
    if (state.seq > known.seq && (state.bidCount < known.bidCount || state.status !== known.status))
      void cache.invalidateQueries({ queryKey })
  },
  // Show no toast if the auction is open on screen, because the screen already shows that the dealer was outbid.
  'auction.outbid': (_cache, event) => {
    if (!isAuctionOpen(event.postId)) noteOutbid(event)
  },
}
