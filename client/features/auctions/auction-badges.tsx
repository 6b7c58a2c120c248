import { useQuery } from '@tanstack/react-query'
import { Badge, LiveBadge, StatusBadge } from '#client/ui/badge.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { useServerClock } from '#client/lib/server-clock.ts'
import { isOverAt } from '#client/lib/auction-state.ts'
import { auctionQuery } from '#client/lib/held-auctions.ts'

const useIsOver = (auction: Auction | undefined): boolean => {
  const nowMs = useServerClock(auction?.status === 'open')
  return auction !== undefined && isOverAt(auction, nowMs)
}

/** LIVE, up to the moment of the end. */
export const AuctionLive = ({ auction }: { auction: Auction }) => (useIsOver(auction) ? null : <LiveBadge />)

/** What the card of a post with an auction says of it: LIVE and its status, until it has ended. */
export function AuctionBadges({ post }: { post: Pick<Post, 'id' | 'status'> }) {
  const isOver = useIsOver(useQuery(auctionQuery(post.id)).data)
  if (isOver && post.status === 'active') return <Badge>Auction ended</Badge>
  return (
    <>
      {isOver ? null : <LiveBadge />}
      <StatusBadge status={post.status} />
    </>
  )
}
