import { useQuery } from '@tanstack/react-query'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { serverNow } from '#client/lib/live/connection.ts'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { clockMs } from '#client/lib/live/shared-clocks.ts'
import { Badge, LiveBadge, StatusBadge } from '#client/ui/badge.tsx'
import { AuctionStartBadge } from '#client/ui/auction-start-badge.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Post } from '#shared/schemas/posts.ts'

export function AuctionLive({ auction }: { auction: Auction }) {
  const phase = useServerTime((nowMs) => phaseOf(auction, nowMs), {
    running: auction.status === 'open',
    everyMs: clockMs.second,
  })
  if (phase === 'coming') return <AuctionStartBadge startsAt={auction.startsAt} nowMs={serverNow()} />
  return phase === 'running' ? <LiveBadge /> : <Badge>Auction ended</Badge>
}

export function AuctionBadges({ post }: { post: Pick<Post, 'id' | 'status'> }) {
  const { data: auction } = useQuery(auctionQuery(post.id))
  const isOpen = useServerTime(
    (nowMs) => auction === undefined || ['coming', 'running'].includes(phaseOf(auction, nowMs)),
    { running: auction?.status === 'open', everyMs: clockMs.second },
  )
  return (
    <>
      {auction ? <AuctionLive auction={auction} /> : null}
      {isOpen || post.status !== 'active' ? <StatusBadge status={post.status} /> : null}
    </>
  )
}
