import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call, NetworkError } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { suggestServerTime } from '#client/lib/connection.ts'
import { readsMax } from '#client/lib/held-posts.ts'
import type { Auction, AuctionTerms, RefusedBid } from '#shared/schemas/auctions.ts'
import { withPlacedBid } from './auctions.cache.ts'

/** An answer that was read before an event that is applied by now would undo it: then it is asked for again. */
async function fetchAuction(cache: QueryClient, postId: string, signal: AbortSignal): Promise<Auction> {
  for (let left = readsMax; ; left -= 1) {
    const auction = await call(`/api/inventory/${encodeURIComponent(postId)}/auction`, { signal })
    suggestServerTime(auction.serverNow)
    const held = cache.getQueryData(auctionQuery(postId).queryKey)
    if (left <= 1 || held === undefined || held.seq <= auction.seq) return auction
  }
}

export function auctionQuery(postId: string) {
  return queryOptions({
    queryKey: ['/api/inventory', 'auction', postId] as const,
    queryFn: ({ signal, client }): Promise<Auction> => fetchAuction(client, postId, signal),
    ...liveQuery,
  })
}

/** One press. Its key stays the same however often it has to be sent. */
export interface BidIntent {
  kind: 'bid' | 'max'
  /** Dollars. */
  amount: number
  key: string
}

const triesMax = 4
const retryMs = 800

/** Why a bid was not taken, with the true price; undefined for any other failure. */
export function refusedBid(error: unknown): RefusedBid | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { details } = error
  return typeof details === 'object' && details !== null && 'minNext' in details ? (details as RefusedBid) : undefined
}

/** Places a bid or sets the maximum. A lost answer is asked for again with the same key: it can only count once. */
export function usePlaceBid(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  return useMutation({
    mutationFn: ({ kind, amount, key }: BidIntent) =>
      call(`/api/inventory/${postId}/${kind === 'bid' ? 'bids' : 'max-bid'}`, {
        method: kind === 'bid' ? 'POST' : 'PUT',
        body: { amount },
        idempotencyKey: key,
      }),
    retry: (count, error) => error instanceof NetworkError && count < triesMax,
    retryDelay: retryMs,
    onSuccess: (placed, { kind, amount }) =>
      cache.setQueryData(queryKey, (auction) => auction && withPlacedBid(auction, placed, kind, amount)),
    onError: () => cache.invalidateQueries({ queryKey }),
  })
}

/** The seller ends it before its time, with the reason that its bidders are told. */
export function useEndAuction(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  return useMutation({
    mutationFn: (reason: string) => call(`/api/inventory/${postId}/auction/end`, { method: 'POST', body: { reason } }),
    onSuccess: (auction) => cache.setQueryData(queryKey, auction),
    onError: () => cache.invalidateQueries({ queryKey }),
  })
}

/** The seller's new terms, while nobody has bid. */
export function useChangeTerms(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (terms: AuctionTerms) => call(`/api/inventory/${postId}/auction`, { method: 'PATCH', body: terms }),
    onSuccess: (auction) => cache.setQueryData(auctionQuery(postId).queryKey, auction),
  })
}
