import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { LaneChange } from '#shared/events/lane.ts'
import { bidHistoryMax } from '#shared/limits.ts'
import type { Auction, AuctionState, Bid, PlacedBid, RefusedBid } from '#shared/schemas/auctions.ts'
import { ApiError, call, NetworkError } from './api.ts'
import { suggestServerTime } from './connection.ts'
import { dealerIn } from './current-dealer.ts'
import { readsMax } from './held-posts.ts'
import { liveQuery } from './live.ts'
import { useIsShown } from './use-is-shown.ts'

// Auctions as this tab holds them: what their cards, their popup and Lane all read and patch.

/** An answer that was read before an event that is applied by now would undo it: then it is asked for again. */
async function fetchAuction(cache: QueryClient, postId: string, signal: AbortSignal): Promise<Auction> {
  for (let left = readsMax; ; left -= 1) {
    const auction = await call(`/api/inventory/${encodeURIComponent(postId)}/auction`, { signal })
    suggestServerTime(auction.serverNow)
    const held = cache.getQueryData(auctionQuery(postId).queryKey)
    if (left <= 1 || held === undefined || held.seq <= auction.seq) return auction
  }
}

const auctionKey = ['/api/inventory', 'auction'] as const

/** Whether a query of this key holds an auction. */
export const isHeldAuction = (key: readonly unknown[]): boolean =>
  auctionKey.every((part, index) => key[index] === part)

export function auctionQuery(postId: string) {
  return queryOptions({
    queryKey: [...auctionKey, postId] as const,
    queryFn: ({ signal, client }): Promise<Auction> => fetchAuction(client, postId, signal),
    ...liveQuery,
  })
}

/** What its seller, who asked, is answered about an auction. Where more was heard by then it is read anew: of the terms no event tells. */
export function keepAuction(cache: QueryClient, auction: Auction, asker: string | undefined): void {
  if (dealerIn(cache) !== asker) return
  const { queryKey } = auctionQuery(auction.postId)
  const held = cache.getQueryData(queryKey)
  if (held && held.seq > auction.seq) void cache.invalidateQueries({ queryKey })
  else cache.setQueryData(queryKey, auction)
}

/** Where `lane.rows` and `auction.state` keep the newest of an auction for who lists it without holding it; never fetched. */
export const heardAuctionKey = (postId: string) => ['/api/inventory', 'heard', postId] as const

/** Keeps what was heard where somebody lists that auction. */
export function noteHeard(cache: QueryClient, change: LaneChange): void {
  const queryKey = heardAuctionKey(change.postId)
  if (cache.getQueryState(queryKey) === undefined) return
  cache.setQueryData<LaneChange>(queryKey, (held) => (held && held.seq >= change.seq ? held : change))
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

/** Whether no word of the server came back, but nothing or what a balancer says in its place: what was sent may count all the same. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.status >= 500 && !error.ownWords)

/** Places a bid or sets the maximum. A lost answer is asked for again with the same key: it can only count once. */
export function usePlaceBid(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  const isSaid = useIsShown()
  return useMutation({
    mutationFn: ({ kind, amount, key }: BidIntent) =>
      call(`/api/inventory/${postId}/${kind === 'bid' ? 'bids' : 'max-bid'}`, {
        method: kind === 'bid' ? 'POST' : 'PUT',
        body: { amount },
        idempotencyKey: key,
      }),
    retry: (count, error) => isAnswerLost(error) && count < triesMax,
    retryDelay: retryMs,
    onMutate: () => dealerIn(cache),
    onSuccess: (placed, { kind, amount }, asker) => {
      if (dealerIn(cache) === asker)
        cache.setQueryData(queryKey, (auction) => auction && withPlacedBid(auction, placed, kind, amount))
    },
    onError: () => cache.invalidateQueries({ queryKey }),
    meta: { refused: 'Bid not accepted', isSaid },
  })
}

function mergeBids(known: readonly Bid[], heard: readonly Bid[]): Bid[] {
  const bySeq = new Map([...known, ...heard].map((bid) => [bid.seq, bid]))
  return [...bySeq.values()].toSorted((a, b) => b.seq - a.seq).slice(0, bidHistoryMax)
}

/** What an event changes: bids are gathered whatever their order, the rest is the newest's. */
export function withState(auction: Auction, state: AuctionState): Auction {
  // An auction that begins anew forgets its bids.
  const bids = mergeBids(auction.bids, state.bids).slice(
    0,
    Math.max(state.seq > auction.seq ? 0 : auction.bidCount, state.bidCount),
  )
  if (state.seq <= auction.seq) return { ...auction, bids }
  const leads = auction.you.number !== null && state.leader === auction.you.number
  return { ...auction, ...state, bids, you: { ...auction.you, maximum: leads ? auction.you.maximum : null } }
}

/** What the answer to one's own bid tells before the event does. `seq` is left to the event, which knows everything. */
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

/** Bids are missing among those that are known, or before them: more happened than an event tells. */
export function hasGap({ bids }: Pick<Auction, 'bids'>): boolean {
  const [newest, oldest] = [bids[0], bids.at(-1)]
  if (newest === undefined || oldest === undefined) return false
  const isCut = oldest.no > 1 && bids.length < bidHistoryMax
  return isCut || newest.no - oldest.no >= bids.length
}
