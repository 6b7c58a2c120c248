import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import { beginOptimistic, endOptimistic } from '#client/lib/query/optimistic-update.ts'
import { suggestServerTime } from '#client/lib/live/connection.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { auctionQuery, keepAuction } from '#client/lib/auction/cached-auctions.ts'
import { readsMax } from '#client/lib/post/cached-posts.ts'
import { alwaysRefetched, liveQuery } from '#client/lib/live/live-queries.ts'
import type { Lane, LaneRow, LaneRun, LaneRunKind } from '#shared/schemas/lane.ts'
import type { Pins } from './position/lane-pins.ts'
import { affectsDayLimit, rowsOf, withHeld, withPinsOf } from './lists/row-standing.ts'
import { countPinChanges, laneStore, hasPinChangesInFlight } from './lane.store.ts'

const laneKey = ['/api/lane'] as const
const stateKey = [...laneKey, 'state'] as const
export const laneRunsKey = [...laneKey, 'run'] as const

/** Fetches the Lane. Fetches it again if events freed part of the day limit meanwhile, because the response's totals would be stale. */
async function fetchLane(cache: QueryClient, signal: AbortSignal): Promise<Lane> {
  for (let left = readsMax; ; left -= 1) {
    const waited = hasPinChangesInFlight()
    const lane = await call('/api/lane', { signal })
    suggestServerTime(lane.serverNow)
    const held = cache.getQueryData<Lane>(stateKey)
    const auctions = held ? [...rowsOf(held).values()].map(({ auction }) => auction) : []
    if (left <= 1 || !affectsDayLimit(rowsOf(lane), auctions)) {
      const { removed } = laneStore.get()
      const isOlder = waited || hasPinChangesInFlight()
      return withHeld(isOlder ? withPinsOf(lane, held) : lane, held, (postId) => removed[postId] ?? false)
    }
  }
}

/** Fetches the whole Lane, without the bids of the auctions in its grid positions. */
export function laneQuery() {
  return queryOptions({
    queryKey: stateKey,
    queryFn: ({ signal, client }) => fetchLane(client, signal),
    ...liveQuery,
  })
}

export function laneRunQuery(kind: LaneRunKind, q: string) {
  return infiniteQueryOptions({
    queryKey: [...laneRunsKey, kind, q] as const,
    queryFn: ({ pageParam, signal }) => call(withQuery('/api/lane/run', { kind, q, cursor: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (held, before) => (before?.queryKey[2] === kind ? held : undefined),
    ...liveQuery,
  })
}

/** Fetches the rest of a list, after the rows that the Lane contains. Those rows change, so each fetch reads the current cursor. */
export function laneRestQuery(kind: 'running' | 'coming') {
  return infiniteQueryOptions({
    queryKey: [...laneRunsKey, kind, null] as const,
    queryFn: ({ pageParam, signal, client }): Promise<LaneRun> | LaneRun => {
      const cursor = pageParam ?? client.getQueryData<Lane>(stateKey)?.behind[kind]
      // The Lane already contains the whole list.
      if (cursor === null || cursor === undefined) return { rows: [], next: null, serverNow: '' }
      return call(withQuery('/api/lane/run', { kind, cursor }), { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    ...liveQuery,
  })
}

export function laneSellingQuery() {
  return queryOptions({
    queryKey: [...laneKey, 'selling'] as const,
    queryFn: ({ signal }) => call('/api/lane/selling', { signal }),
    ...liveQuery,
  })
}

export function laneAllQuery() {
  return infiniteQueryOptions({
    queryKey: [...laneKey, 'all'] as const,
    queryFn: ({ pageParam, signal }) => call(withQuery('/api/lane/all', { cursor: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    ...liveQuery,
  })
}

export function laneRunningQuery() {
  return queryOptions({
    queryKey: [...laneKey, 'running'] as const,
    queryFn: ({ signal }) => call(withQuery('/api/lane/run', { kind: 'running' }), { signal }),
    ...alwaysRefetched,
  })
}

export const refetchLane = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: stateKey })

export const refetchRun = async (cache: QueryClient, kinds: readonly LaneRunKind[]): Promise<void> => {
  await Promise.all(kinds.map((kind) => cache.invalidateQueries({ queryKey: [...laneKey, 'run', kind] })))
}

export const refetchLaneLists = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: laneKey })

const listed = (cache: QueryClient): LaneRow[] =>
  cache
    .getQueriesData<InfiniteData<LaneRun>>({ queryKey: [...laneKey, 'run'] })
    .flatMap(([, run]) => run?.pages.flatMap((page) => page.rows) ?? [])

export const pinsMutationKey = ['lane-pins'] as const

/** Saves the pins optimistically. A pinned auction that is in no loaded list appears after the Lane has been refetched. */
export function useSetPins() {
  const cache = useQueryClient()
  const held = () => cache.getQueryData<Lane>(stateKey)
  const isUnknown = (pins: Pins) => {
    const known = new Set(held()?.pinned.map(({ postId }) => postId))
    return pins.some(({ postId }) => !known.has(postId))
  }
  return useMutation({
    mutationKey: pinsMutationKey,
    mutationFn: (pins: Pins) => call('/api/lane/pins', { method: 'PUT', body: { pins: [...pins] } }),
    // Send one change at a time, so that the last one wins.
    scope: { id: 'lane-pins' },
    onMutate: async (pins) => {
      countPinChanges(1)
      const lane = held()
      if (!lane) return false
      const known = new Map([...listed(cache).map((row) => [row.postId, row] as const), ...rowsOf(lane)])
      cache.setQueryData<Lane>(stateKey, {
        ...lane,
        pins: [...pins],
        pinned: pins.flatMap(({ postId }) => known.get(postId) ?? []),
      })
      await beginOptimistic(cache, stateKey)
      return true
    },
    onSuccess: (_answer, pins) => {
      countPinChanges(-1)
      return isUnknown(pins) ? refetchLane(cache) : undefined
    },
    onError: () => {
      countPinChanges(-1)
      return refetchLane(cache)
    },
    onSettled: (_answer, _error, _pins, isShown) => (isShown ? endOptimistic(cache, stateKey) : undefined),
    meta: { refused: 'Not pinned' },
  })
}

/** Sets the preset maximum, which becomes the dealer's maximum when the auction starts. Null removes it. */
export function usePreset(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  return useMutation({
    mutationFn: (amount: number | null) =>
      amount === null
        ? call(`/api/inventory/${postId}/preset`, { method: 'DELETE' })
        : call(`/api/inventory/${postId}/preset`, { method: 'PUT', body: { amount } }),
    onMutate: () => dealerIn(cache),
    onSuccess: (_nothing, preset, dealerAtStart) => {
      if (dealerIn(cache) !== dealerAtStart) return undefined
      cache.setQueryData(queryKey, (auction) => auction && { ...auction, you: { ...auction.you, preset } })
      return refetchLane(cache)
    },
    onError: () => cache.invalidateQueries({ queryKey }),
  })
}

/** Lowers the reserve, or accepts the highest bid by lowering the reserve to it. `refused` is the title of the error toast. */
export function useLowerReserve(postId: string, refused: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  return useMutation({
    mutationFn: ({ amount, key }: { amount: number; key: string }) =>
      call(`/api/inventory/${postId}/auction/reserve`, { method: 'POST', body: { amount }, idempotencyKey: key }),
    onMutate: () => dealerIn(cache),
    onSuccess: (auction, _input, dealerAtStart) => {
      keepAuction(cache, auction, dealerAtStart)
      return refetchLaneLists(cache)
    },
    onError: () => cache.invalidateQueries({ queryKey }),
    // Report an error as a toast, because the form may have closed by then.
    meta: { refused },
  })
}
