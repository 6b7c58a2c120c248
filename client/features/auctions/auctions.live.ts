import type { LiveHandlers } from '#client/lib/live.ts'
import { formatMoney } from '#client/ui/format.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { AuctionEvents } from '#shared/events/auctions.ts'
import { auctionQuery } from './auctions.api.ts'
import { withState } from './auctions.cache.ts'
import { isAuctionOpen } from './open-auctions.ts'

export const auctionsLive: LiveHandlers<AuctionEvents> = {
  'auction.state': (cache, state) =>
    void cache.setQueryData(auctionQuery(state.postId).queryKey, (auction) => auction && withState(auction, state)),
  'auction.outbid': (_cache, { postId, title, amount }) => {
    // The open dialog says it itself, and louder.
    if (!isAuctionOpen(postId))
      toast({ title: 'You have been outbid', description: `${title}: now ${formatMoney(amount)}`, variant: 'destructive' })
  },
}
