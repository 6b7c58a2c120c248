import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { LaneChange } from '#shared/events/lane.ts'
import { bidHistoryMax } from '#shared/limits.ts'
import type { Auction, AuctionState, Bid, PlacedBid, RefusedBid } from '#shared/schemas/auctions.ts'
import { ApiError, call, NetworkError } from '../http/api.ts'
import { suggestServerTime } from '../live/connection.ts'
import { dealerIn } from '../session/current-dealer.ts'
import { readsMax } from '../post/cached-posts.ts'
import { liveQuery } from '../live/live-queries.ts'
import { offerPush } from '../push-device.ts'
import { useIsMounted } from '../screen/use-is-mounted.ts'

/** Fetches an auction. Fetches again if a newer event has arrived in the meantime, because the response would undo it. */
async function fetchAuction(cache: QueryClient, postId: string, signal: AbortSignal): Promise<Auction> {
  for (let left = readsMax; ; left -= 1) {
    const auction = await call(`/api/inventory/${encodeURIComponent(postId)}/auction`, { signal })
    suggestServerTime(auction.serverNow)
    const held = cache.getQueryData(auctionQuery(postId).queryKey)
    const lastEvent = cache.getQueryData<LaneChange>(lastAuctionEventKey(postId))
    if (left <= 1 || Math.max(held?.seq ?? 0, lastEvent?.seq ?? 0) <= auction.seq) return auction
  }
}

const auctionKey = ['/api/inventory', 'auction'] as const

export const isCachedAuction = (key: readonly unknown[]): boolean =>
  auctionKey.every((part, index) => key[index] === part)

export function auctionQuery(postId: string) {
  return queryOptions({
    queryKey: [...auctionKey, postId] as const,
    queryFn: ({ signal, client }): Promise<Auction> => fetchAuction(client, postId, signal),
    ...liveQuery,
  })
}

/** Caches the response to a seller's change. Refetches if a newer event has arrived, because events do not contain the auction's terms. */
export function keepAuction(cache: QueryClient, auction: Auction, dealerAtStart: string | undefined): void {
  if (dealerIn(cache) !== dealerAtStart) return
  const { queryKey } = auctionQuery(auction.postId)
  const held = cache.getQueryData(queryKey)
  if (held && held.seq > auction.seq) void cache.invalidateQueries({ queryKey })
  else cache.setQueryData(queryKey, auction)
}

/**
 * Query key of an auction's latest event, for lists that do not contain the auction itself and for an auction that is being loaded. Set by
 * events, never fetched.
 */
export const lastAuctionEventKey = (postId: string) => ['/api/inventory', 'heard', postId] as const

/** Keeps the event if a list shows the auction, or if the auction is being loaded: the response may be older than the event. */
export function storeAuctionEvent(cache: QueryClient, change: LaneChange): void {
  const queryKey = lastAuctionEventKey(change.postId)
  const isLoading = cache.getQueryState(auctionQuery(change.postId).queryKey)?.fetchStatus === 'fetching'
  if (!isLoading && cache.getQueryState(queryKey) === undefined) return
  cache.setQueryData<LaneChange>(queryKey, (held) => (held && held.seq >= change.seq ? held : change))
}

/** One press of a bid button. Its retries send the same idempotency key. */
export interface BidIntent {
  kind: 'bid' | 'max'
  amount: number
  key: string
}

const triesMax = 4
const retryMs = 800

/** Returns the details of a rejected bid, including the current price. Returns undefined if the error is another one. */
export function refusedBid(error: unknown): RefusedBid | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { details } = error
  return typeof details === 'object' && details !== null && 'minNext' in details ? (details as RefusedBid) : undefined
}

/** True if our server did not answer the request. The bid may have counted. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.status >= 500 && !error.ownWords)

/** Sends a bid or a maximum. Sent again with the same key, returns the first result if the server accepted it, and counts once. */
export const sendBid = (postId: string, { kind, amount, key }: BidIntent): Promise<PlacedBid> =>
  call(`/api/inventory/${postId}/${kind === 'bid' ? 'bids' : 'max-bid'}`, {
    method: kind === 'bid' ? 'POST' : 'PUT',
    body: { amount },
    idempotencyKey: key,
  })

/** Places a bid or sets a maximum. Its retries use the same idempotency key, so a bid counts only once. */
export function usePlaceBid(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: (intent: BidIntent) => sendBid(postId, intent),
    retry: (count, error) => isAnswerLost(error) && count < triesMax,
    retryDelay: retryMs,
    onMutate: () => dealerIn(cache),
    onSuccess: (placed, { kind, amount }, dealerAtStart) => {
      if (dealerIn(cache) !== dealerAtStart) return
      cache.setQueryData(queryKey, (auction) => auction && withPlacedBid(auction, placed, kind, amount))
      offerPush('outbid')
    },
    onError: () => cache.invalidateQueries({ queryKey }),
    meta: { refused: 'Bid not accepted', isShownInPlace },
  })
}

function mergeBids(known: readonly Bid[], received: readonly Bid[]): Bid[] {
  const bySeq = new Map([...known, ...received].map((bid) => [bid.seq, bid]))
  return [...bySeq.values()].toSorted((a, b) => b.seq - a.seq).slice(0, bidHistoryMax)
}

/** Applies an `auction.state` event. Events may arrive out of order: bids are merged, and other fields come from the newer state. */
export function withState(auction: Auction, state: AuctionState): Auction {
  // Restarting an auction deletes its bids.
  const bids = mergeBids(auction.bids, state.bids).slice(
    0,
    Math.max(state.seq > auction.seq ? 0 : auction.bidCount, state.bidCount),
  )
  if (state.seq <= auction.seq) return { ...auction, bids }
  const leads = auction.you.number !== null && state.leader === auction.you.number
  return { ...auction, ...state, bids, you: { ...auction.you, maximum: leads ? auction.you.maximum : null } }
}

/** Applies the response to the dealer's own bid. Keeps `seq`, so that the event for this bid is still applied. */
function withPlacedBid(auction: Auction, placed: PlacedBid, kind: 'bid' | 'max', amount: number): Auction {
  const { number, leading } = placed
  const maximum = kind === 'max' ? amount : (auction.you.maximum ?? amount)
  const you = { ...auction.you, number, maximum: leading ? maximum : null }
  if (placed.seq <= auction.seq) return { ...auction, you }
  return {
    ...auction,
    you,
    amount: placed.amount,
    minNext: placed.amount + auction.increment,
    endsAt: placed.endsAt,
    leader: leading ? number : auction.leader,
  }
}

/** True if a bid between or before the cached bids is missing, so the auction must be refetched. */
export function hasGap({ bids }: Pick<Auction, 'bids'>): boolean {
  const [newest, oldest] = [bids[0], bids.at(-1)]
  if (newest === undefined || oldest === undefined) return false
  const isCut = oldest.no > 1 && bids.length < bidHistoryMax
  return isCut || newest.no - oldest.no >= bids.length
}
