import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useJoined, useView } from '#client/lib/live/room-views.ts'
import { formatMoney } from '#client/ui/format.ts'
import { holdToast, releaseToast } from '#client/ui/toast-store.ts'
import { bidIncrements } from '#shared/limits.ts'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { useAuctionClock } from '#client/lib/live/server-clock.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { forgetOutbid, type Outbid, outbidStore } from '#client/lib/auction/auctions-on-screen.ts'

const heldAs = 'outbid'

/** Shows a toast for as long as the dealer is outbid. Mounted once, for all pages. */
export function OutbidToast() {
  const last = outbidStore.use((state) => state.last)
  return last ? <Watch key={last.postId} outbid={last} /> : null
}

/** Subscribes to the auction, so that the toast shows the current price and closes once the dealer leads or bidding ends. */
function Watch({ outbid: { postId, title, amount: eventAmount } }: { outbid: Outbid }) {
  const { data: auction, refetch } = useQuery(auctionQuery(postId))
  useView('post', postId)
  useJoined('post', postId, auction !== undefined, () => void refetch())
  const now = useAuctionClock(auction)
  const amount = Math.max(eventAmount, auction?.amount ?? 0)
  const next = amount + (auction?.increment ?? bidIncrements[0])
  const leads = auction !== undefined && auction.leader === auction.you.number && (auction.amount ?? 0) >= eventAmount
  const isOver = auction !== undefined && (leads || phaseOf(auction, now) !== 'running')
  useEffect(() => {
    if (isOver) forgetOutbid(postId)
  }, [isOver, postId])
  useEffect(() => {
    holdToast(
      heldAs,
      {
        title: 'You have been outbid',
        description: `${title}: now ${formatMoney(amount)}`,
        variant: 'destructive',
        links: [
          { label: `Bid ${formatMoney(next)}`, path: `/lane?post=${postId}` },
          { label: 'Open', path: `/post/${postId}` },
        ],
      },
      () => forgetOutbid(postId),
    )
  }, [postId, title, amount, next])
  useEffect(() => () => releaseToast(heldAs), [])
  return null
}
