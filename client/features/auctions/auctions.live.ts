import type { LiveHandlers } from '#client/lib/live.ts'
import type { AuctionEvents } from '#shared/events/auctions.ts'
import { auctionQuery, noteHeard, withState } from '#client/lib/held-auctions.ts'
import { isAuctionOpen, noteOutbid } from '#client/lib/open-auctions.ts'

export const auctionsLive: LiveHandlers<AuctionEvents> = {
  'auction.state': (cache, state) => {
    noteHeard(cache, state)
    const { queryKey } = auctionQuery(state.postId)
    const known = cache.getQueryData(queryKey)
    if (!known) return
    cache.setQueryData(queryKey, withState(known, state))
    // Begun anew, or decided: what only this dealer may know has changed as well.
    if (state.seq > known.seq && (state.bidCount < known.bidCount || state.status !== known.status))
      void cache.invalidateQueries({ queryKey })
  },
  // The open dialog says it itself, and louder.
  'auction.outbid': (_cache, event) => {
    if (!isAuctionOpen(event.postId)) noteOutbid(event)
  },
}
