import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { suggestServerTime } from '#client/lib/connection.ts'
import type { InboxHandlers, LiveHandlers } from '#client/lib/live.ts'
import type { LaneChanges, LaneEvents } from '#shared/events/lane.ts'
import type { Lane, LaneRow, LaneRun, LaneSelling } from '#shared/schemas/lane.ts'
import { laneQuery, laneSellingQuery, refetchLane, refetchLaneLists } from './lane.api.ts'
import { mapRows, rowsOf, withChange } from './lane-rows.ts'
import { notePlaced } from './lane.store.ts'

/** More moved than an event holds, or something new: all is fetched again, but not more often. */
const wholeEveryMs = 10_000
/** What follows upon a bid of one's own may take a moment; many of them are one fetch. */
const soonMs = 1_000

/** One fetch at a time waits, for each cache. */
function createLater(run: (cache: QueryClient) => void) {
  const waiting = new WeakMap<QueryClient, ReturnType<typeof setTimeout>>()
  return (cache: QueryClient, afterMs: number) => {
    if (waiting.has(cache)) return
    const timer = setTimeout(() => {
      waiting.delete(cache)
      run(cache)
    }, afterMs)
    waiting.set(cache, timer)
  }
}

const refetchSoon = createLater((cache) => void refetchLane(cache))
const refetchAll = createLater((cache) => void refetchLaneLists(cache))

/** Every list that is held, with what has moved. Lists that nobody looks at hold nothing. */
function patchLists(cache: QueryClient, { rows, gone }: LaneChanges): void {
  const changes = new Map(rows.map((row) => [row.postId, row]))
  const left = new Set(gone)
  const patch = (row: LaneRow): LaneRow | undefined =>
    left.has(row.postId) ? undefined : withChange(row, changes.get(row.postId))
  cache.setQueryData(laneQuery().queryKey, (lane: Lane | undefined) => lane && mapRows(lane, patch))
  cache.setQueriesData<InfiniteData<LaneRun>>(
    { queryKey: ['/api/lane', 'run'] },
    (run) =>
      run && {
        ...run,
        pages: run.pages.map((page) => ({ ...page, rows: page.rows.flatMap((row) => patch(row) ?? []) })),
      },
  )
  cache.setQueryData(laneSellingQuery().queryKey, (sales: LaneSelling | undefined) =>
    sales?.flatMap((sale) => {
      const row = patch(sale.row)
      return row ? [{ ...sale, row }] : []
    }),
  )
}

export const laneLive: LiveHandlers<LaneEvents> = {
  'lane.rows': (cache, event) => {
    const lane = cache.getQueryData(laneQuery().queryKey)
    suggestServerTime(event.serverNow)
    if (!lane) return
    const known = rowsOf(lane)
    patchLists(cache, event)
    if (event.more || event.rows.some(({ postId }) => !known.has(postId))) refetchAll(cache, wholeEveryMs)
  },
  'lane.placed': (cache, { postId }) => {
    if (!cache.getQueryData(laneQuery().queryKey)) return
    notePlaced(postId)
    refetchSoon(cache, soonMs)
  },
}

/** Pins, maximums at the start, the day: what of the dealer's own is shown in the Lane. */
export const laneInbox: InboxHandlers = {
  lane: (cache) => void refetchLaneLists(cache),
  saved: (cache) => void refetchLane(cache),
}
