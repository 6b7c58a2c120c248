import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverNow } from '#client/lib/connection.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { useOfflinePoll } from '#client/lib/offline-poll.ts'
import { useJoined, useView } from '#client/lib/views.ts'
import { useNarrow, widthOf } from '#client/ui/narrow.ts'
import { lanePlacesMax } from '#shared/limits.ts'
import type { Lane, LaneRow } from '#shared/schemas/lane.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { laneQuery, laneRunQuery, useSetPins } from './lane.api.ts'
import { type Pins, slotByItself, slotByPress, slotOf, withoutPin, withPin } from './lane-pins.ts'
import { isDone, isRunningAt, nextWatched, rowsOf, standingOf } from './lane-rows.ts'
import { forgetPlaced, laneStore, notePlaced } from './lane.store.ts'

/** Where six places are what one has unless another number was chosen. */
const roomForSix = widthOf('(width >= 90rem)')

/** How many places there are: as chosen, else what the screen has room for. A phone shows one of six at a time. */
function usePlaceCount(): number {
  const { panes } = settingsOf(useCurrentDealer().settings).lane
  const isRoomy = roomForSix.use()
  const isPhone = useNarrow()
  if (isPhone) return lanePlacesMax
  return panes ?? (isRoomy ? 6 : 4)
}

/** What the Lane knows, followed by events, and by the documented poll where they do not come. */
export function useLaneData() {
  const query = useQuery({ ...laneQuery(), refetchInterval: useOfflinePoll() })
  const { data, refetch } = query
  useView('lane', '')
  useJoined('lane', '', data !== undefined, () => void refetch({ cancelRefetch: false }))
  return query
}

/** So long after a press nothing comes into a place by itself. */
const calmMs = 3_000

export interface Places {
  count: number
  pins: Pins
  rows: ReadonlyMap<string, LaneRow>
  slotOf: (postId: string) => number | undefined
  /** Gives an auction a place, by a press; answers which. What comes from the strip takes the `wanted` one. */
  pin: (postId: string, wanted?: number) => number
  /** Off the screen: it stands in the strip alone. */
  takeOff: (postId: string) => void
  /** The auction that is watched and ends soonest takes the place of one that is over; without one the place is free. */
  refill: (postId: string) => void
  /** Which that would be. */
  next: LaneRow | undefined
}

/** The places, and who may come into them. */
export function usePlaces(lane: Lane): Places {
  const cache = useQueryClient()
  const count = usePlaceCount()
  const { mutate: set } = useSetPins()
  const rows = rowsOf(lane)
  const { pins } = lane
  /** As it is now, also after another press that has not been drawn yet. */
  const newest = () => cache.getQueryData(laneQuery().queryKey)?.pins ?? pins
  const around = (held: Pins) => ({
    pins: held,
    places: count,
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
      if (slotOf(after, postId, count) === undefined) after = withPin(after, postId, slotByItself(around(after)))
    if (after !== before) set(after)
  })
  const next = useNextWatched(lane, rows, count)
  return {
    count,
    pins,
    rows,
    slotOf: (postId) => slotOf(pins, postId, count),
    pin: (postId, wanted) => {
      const held = newest()
      const known = slotOf(held, postId, count)
      if (known !== undefined) return known
      const slot = slotByPress(around(held), wanted)
      set(withPin(held, postId, slot))
      return slot
    },
    takeOff: (postId) => {
      const row = rows.get(postId)
      const held = newest()
      // What is over, or was never bid on, need not be remembered.
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
  }
}

/**
 * What comes where an auction is over: of the watched ones that have no place the soonest ending, where the dealer wants that. Behind the
 * first hundred it is asked for once there is a place for it.
 */
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
  // One that runs goes before one that comes, wherever it is listed.
  const isSure = known !== undefined && (behind.running === null || isRunningAt(known, nowMs))
  const isWhole = behind.running === null && behind.coming === null
  const enabled = refill && !isSure && hasRoom && !isWhole && counts.watching > 0
  const { data } = useInfiniteQuery({ ...laneRunQuery('watching', ''), enabled })
  if (!enabled || data === undefined) return known
  return nextWatched([...rows.values(), ...data.pages.flatMap((page) => page.rows)], isShown, nowMs)
}

/** A bid that was taken, on whatever screen, gives its auction a place: also one from before the Lane was opened. */
function useAutoPin(lane: Lane, rows: ReadonlyMap<string, LaneRow>, give: (postIds: string[]) => void) {
  const { autoPin } = settingsOf(useCurrentDealer().settings).lane
  const placed = laneStore.use((state) => state.placed)
  const pressedAtMs = laneStore.use((state) => state.pressedAtMs)
  const [isFirst, setFirst] = useState(true)
  const [, setCalm] = useState(0)
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
    const waitMs = pressedAtMs + calmMs - Date.now()
    if (waitMs > 0) {
      const timer = setTimeout(() => setCalm(Date.now()), waitMs)
      return () => clearTimeout(timer)
    }
    const known = placed.filter((postId) => rows.has(postId))
    if (known.length === 0) return
    forgetPlaced(known)
    give(known)
  })
}
