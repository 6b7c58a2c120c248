import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverNow } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useOfflinePoll } from '#client/lib/live/offline-poll.ts'
import { useJoined, useView } from '#client/lib/live/room-views.ts'
import { useNarrow, widthOf } from '#client/ui/screen-width.ts'
import { lanePositionsMax } from '#shared/limits.ts'
import type { Lane, LaneRow } from '#shared/schemas/lane.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { laneQuery, laneRunQuery, useSetPins } from '../lane.api.ts'
import { filledPins, type Pins, slotForAutoPin, slotForOpened, slotOf, withoutPin, withPin } from './lane-pins.ts'
import { endingSoonest, isDone, isRunningAt, nextWatched, rowsOf, standingOf } from '../lists/row-standing.ts'
import { forgetPlaced, laneStore, notePlaced, notePress } from '../lane.store.ts'

const roomForSix = widthOf('(width >= 90rem)')

/** A phone always has six positions and shows one at a time. */
function usePositionCount(): number {
  const { panes } = settingsOf(useCurrentDealer().settings).lane
  const isRoomy = roomForSix.use()
  const isPhone = useNarrow()
  if (isPhone) return lanePositionsMax
  return panes ?? (isRoomy ? 6 : 4)
}

export function useLaneData() {
  const query = useQuery({ ...laneQuery(), refetchInterval: useOfflinePoll() })
  const { data, refetch } = query
  useView('lane', '')
  useJoined('lane', '', data !== undefined, () => void refetch({ cancelRefetch: false }))
  return query
}

/** Milliseconds after a press during which no auction is added automatically. */
const autoPinDelayMs = 3_000

export interface Positions {
  count: number
  pins: Pins
  rows: ReadonlyMap<string, LaneRow>
  slotOf: (postId: string) => number | undefined
  /** Puts an auction into a grid position, if possible into `wanted`, and returns the position's number. */
  pin: (postId: string, wanted?: number) => number
  removeFromGrid: (postId: string) => void
  /** Replaces an ended auction with the next watched auction. If there is none, empties the position. */
  refill: (postId: string) => void
  next: LaneRow | undefined
  /** Returns the number of auctions that {@link fill} would show. */
  fillable: () => number
  /** Fills the grid with the auctions ending soonest. Auctions that the dealer keeps, and open auctions with the dealer's bid, stay. */
  fill: () => void
}

export function usePositions(lane: Lane): Positions {
  const cache = useQueryClient()
  const count = usePositionCount()
  const { mutate: set } = useSetPins()
  const rows = rowsOf(lane)
  const { pins } = lane
  /** Reads the pins from the cache, because changes to them may not be rendered yet. */
  const newest = () => cache.getQueryData(laneQuery().queryKey)?.pins ?? pins
  const gridState = (held: Pins) => ({
    pins: held,
    positionCount: count,
    focused: laneStore.get().focused,
    isOver: (postId: string) => {
      const row = rows.get(postId)
      return row === undefined || isDone(row, serverNow())
    },
    hasBid: (postId: string) => typeof rows.get(postId)?.you.number === 'number',
    isKept: (postId: string) => laneStore.get().kept[postId] ?? false,
    leads: (postId: string) => {
      const row = rows.get(postId)
      return row !== undefined && standingOf(row, serverNow()) === 'winning'
    },
  })
  useAutoPin(lane, rows, (postIds) => {
    const before = newest()
    let after = before
    for (const postId of postIds)
      if (slotOf(after, postId, count) === undefined) after = withPin(after, postId, slotForAutoPin(gridState(after)))
    if (after !== before) set(after)
  })
  const next = useNextWatched(lane, rows, count)
  const filled = (held: Pins) => {
    const { hasBid, isOver, isKept } = gridState(held)
    const stays = (postId: string) => isKept(postId) || (hasBid(postId) && !isOver(postId))
    return filledPins(held, count, stays, endingSoonest([...rows.values()], serverNow()))
  }
  return {
    count,
    pins,
    rows,
    slotOf: (postId) => slotOf(pins, postId, count),
    pin: (postId, wanted) => {
      const held = newest()
      const known = slotOf(held, postId, count)
      if (known !== undefined) return known
      const slot = slotForOpened(gridState(held), wanted)
      set(withPin(held, postId, slot))
      return slot
    },
    removeFromGrid: (postId) => {
      const row = rows.get(postId)
      const held = newest()
      // An auction that leaves the grid stays in the strip only if it is open and the dealer has bid in it.
      const stays = row !== undefined && row.you.number !== null && !isDone(row, serverNow())
      set(stays ? withPin(held, postId, null) : withoutPin(held, postId))
    },
    refill: (postId) => {
      const held = newest()
      const slot = slotOf(held, postId, count)
      const others = withoutPin(held, postId)
      set(next && slot !== undefined ? withPin(others, next.postId, slot) : others)
    },
    next,
    fillable: () => filled(pins).count,
    fill: () => {
      const held = newest()
      const after = filled(held).pins
      if (after === held) return
      notePress()
      set(after)
    },
  }
}

/** Returns the watched auction that replaces an ended one. Fetches the watchlist only if the loaded rows may not contain that auction. */
function useNextWatched(lane: Lane, rows: ReadonlyMap<string, LaneRow>, count: number): LaneRow | undefined {
  const { refill } = settingsOf(useCurrentDealer().settings).lane
  const nowMs = serverNow()
  const { pins, behind, counts } = lane
  const isShown = (postId: string) => slotOf(pins, postId, count) !== undefined
  const known = refill ? nextWatched([...rows.values()], isShown, nowMs) : undefined
  const hasRoom = pins.some(({ postId }) => {
    const row = rows.get(postId)
    return isShown(postId) && row !== undefined && isDone(row, nowMs)
  })
  // Running auctions have priority over coming auctions.
  const isSure = known !== undefined && (behind.running === null || isRunningAt(known, nowMs))
  const isWhole = behind.running === null && behind.coming === null
  const enabled = refill && !isSure && hasRoom && !isWhole && counts.watching > 0
  const { data } = useInfiniteQuery({ ...laneRunQuery('watching', ''), enabled })
  if (!enabled || data === undefined) return known
  return nextWatched([...rows.values(), ...data.pages.flatMap((page) => page.rows)], isShown, nowMs)
}

/**
 * Gives an auction a position after it accepted the dealer's bid, even if the bid was placed on another screen or before the Lane opened.
 */
function useAutoPin(lane: Lane, rows: ReadonlyMap<string, LaneRow>, pin: (postIds: string[]) => void) {
  const { autoPin } = settingsOf(useCurrentDealer().settings).lane
  const placed = laneStore.use((state) => state.placed)
  const pressedAtMs = laneStore.use((state) => state.pressedAtMs)
  const [isFirst, setFirst] = useState(true)
  const [, rerender] = useState(0)
  useEffect(() => {
    if (!isFirst) return
    setFirst(false)
    const known = new Set(lane.pins.map(({ postId }) => postId))
    for (const row of lane.mine)
      if (row.you.number !== null && row.auction.status === 'open' && !known.has(row.postId)) notePlaced(row.postId)
  }, [isFirst, lane])
  useEffect(() => {
    if (placed.length === 0) return
    if (!autoPin) return forgetPlaced(placed)
    const waitMs = pressedAtMs + autoPinDelayMs - Date.now()
    if (waitMs > 0) {
      const timer = setTimeout(() => rerender(Date.now()), waitMs)
      return () => clearTimeout(timer)
    }
    const known = placed.filter((postId) => rows.has(postId))
    if (known.length === 0) return
    forgetPlaced(known)
    pin(known)
  })
}
