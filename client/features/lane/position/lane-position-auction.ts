import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '#client/lib/http/api.ts'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { useOpenAuction } from '#client/lib/auction/auctions-on-screen.ts'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { useJoined, useView } from '#client/lib/live/room-views.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { useLaneParts } from '../lane-context.ts'
import { barOf, type PositionState, positionStateOf } from './lane-position-state.ts'

/** Joins a position's live rooms, which depend on whether it is active. Joins the new room before leaving the old one. */
function useRooms(postId: string, isActive: boolean, isReady: boolean, refetch: () => void): void {
  const [wasActive, setWasActive] = useState(isActive)
  useEffect(() => setWasActive(isActive), [isActive])
  useView('post', postId, isActive || wasActive)
  useView('auction', postId, isActive || wasActive)
  useView('lot', postId, !isActive || !wasActive)
  useJoined('post', postId, isReady, refetch)
  useJoined('lot', postId, isReady, refetch)
}

/** Returns the auction of a grid position and keeps it up to date. Uses the row's data until the auction has loaded. */
export function usePositionAuction(row: LaneRow, isActive: boolean) {
  const { postId, auction, you } = row
  const query = useQuery(auctionQuery(postId))
  const { data, error, refetch } = query
  useRooms(postId, isActive, data !== undefined, () => void refetch({ cancelRefetch: false }))
  // While offline, only the list is polled, so refetch the auction if its row has changed.
  const isOffline = useConnection() === 'offline'
  const isBehind = isOffline && data !== undefined && auction.seq > data.seq
  useEffect(() => {
    if (isBehind) void refetch()
  }, [isBehind, auction.seq, refetch])
  useOpenAuction(postId)
  const isRemoved = is404(error)
  return {
    auction: data ?? { ...auction, you, seller: null },
    isRemoved,
    asOfMs: query.dataUpdatedAt || Date.parse(auction.serverNow),
    failure: data === undefined && error && !isRemoved ? error : undefined,
    isFetching: query.isFetching,
    retry: () => void refetch(),
  }
}

/** A 404 means that the auction does not exist or is hidden from this dealer. */
export const is404 = (error: Error | null): boolean => error instanceof ApiError && error.status === 404

export function usePositionState(auction: Auction, isRemoved: boolean, asOfMs: number) {
  const online = useConnection() !== 'offline'
  const phase = useServerTime((nowMs) => phaseOf(auction, nowMs))
  const state: PositionState = isRemoved ? 'removed' : positionStateOf(auction, phase, online)
  const { offerOf } = useLaneParts()
  const offer = state === 'decidingMine' ? offerOf(auction.postId) : undefined
  // `barOf` returns a new object every second. Compare it as JSON, so that the position re-renders only when the text changes.
  const bar = JSON.parse(
    useServerTime((nowMs) => JSON.stringify(barOf(state, auction, nowMs, asOfMs, offer))),
  ) as ReturnType<typeof barOf>
  return { phase, state, bar, online, offer }
}
