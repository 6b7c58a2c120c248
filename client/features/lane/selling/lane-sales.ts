import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { useOfflinePoll } from '#client/lib/live/offline-poll.ts'
import { useJoined, useView } from '#client/lib/live/room-views.ts'
import type { BadgeTone } from '#client/ui/badge.tsx'
import { formatMoney } from '#client/ui/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneSale } from '#shared/schemas/lane.ts'

export function saleLabel({ row }: LaneSale, nowMs: number): { word: string; tone: BadgeTone } {
  const { auction } = row
  switch (phaseOf(auction, nowMs)) {
    case 'coming':
      return { word: 'Upcoming', tone: 'outline' }
    case 'closing':
      return { word: 'Closing', tone: 'warning' }
    case 'deciding':
      return { word: 'Your decision', tone: 'warning' }
    case 'sold':
      return { word: 'Sold', tone: 'sold' }
    case 'no_sale':
      return { word: 'No sale', tone: 'neutral' }
    case 'running':
      return runningLabels[auction.reserve]
  }
}

const runningLabels = {
  met: { word: 'Reserve met', tone: 'success' },
  not_met: { word: 'Reserve not met', tone: 'warning' },
  none: { word: 'No reserve', tone: 'outline' },
} as const

export function shortOf({ row, reserveAmount }: LaneSale): string {
  const { amount, reserve, status } = row.auction
  if (status === 'sold') return 'sold'
  if (amount === null || status === 'no_sale') return ''
  if (reserve === 'none') return 'sells'
  if (reserve === 'met') return 'met'
  if (reserveAmount === null) return 'you decide'
  return `${formatMoney(reserveAmount - amount)} short`
}

/** Returns the query of one of the dealer's own auctions, and keeps it current. */
export function useOwnAuction(postId: string): UseQueryResult<Auction> {
  const query = useQuery({ ...auctionQuery(postId), refetchInterval: useOfflinePoll() })
  const { data, refetch } = query
  useView('post', postId)
  useJoined('post', postId, data !== undefined, () => void refetch({ cancelRefetch: false }))
  return query
}
