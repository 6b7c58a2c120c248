import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { suggestServerTime } from '#client/lib/live/connection.ts'
import { auctionQuery, storeAuctionEvent } from '#client/lib/auction/cached-auctions.ts'
import { runLater, runPaced } from '#client/lib/live/delayed-calls.ts'
import type { InboxHandlers, LiveHandlers } from '#client/lib/live/live-queries.ts'
import type { LaneChanges, LaneEvents } from '#shared/events/lane.ts'
import type { Lane, LaneRow, LaneRun, LaneSelling } from '#shared/schemas/lane.ts'
import { laneQuery, laneRunsKey, laneSellingQuery, refetchLane, refetchLaneLists, refetchRun } from './lane.api.ts'
import {
  followupOf,
  isEnding,
  isRunDown,
  mapRows,
  movesMoney,
  rowsOf,
  withChange,
  withoutGone,
} from './lists/row-standing.ts'
import { laneStore, recordGone, notePlaced } from './lane.store.ts'

/** Minimum milliseconds between full refetches, after events that do not contain all changes. */
const wholeEveryMs = 10_000
/**
 * Minimum milliseconds between refetches of the counts if lists are only partly loaded. With that many auctions, the counts may lag
 * longer.
 */
const manyCountsEveryMs = 60_000
/** Milliseconds in which refetches after the dealer's own bids are combined into one. */
const soonMs = 1_000

/** At most one refetch of each kind is pending at a time. */
const refetchSoon = (cache: QueryClient) => runLater('lane.soon', soonMs, () => void refetchLane(cache))
const refetchCounts = (cache: QueryClient, everyMs: number) =>
  runPaced('lane.counts', everyMs, () => void refetchLane(cache))
const refetchAll = (cache: QueryClient) => runPaced('lane.all', wholeEveryMs, () => void refetchLaneLists(cache))
/** Refetches the lists that change when an auction ends, because no event describes those changes. */
const refetchEnded = (cache: QueryClient) =>
  runPaced('lane.ended', wholeEveryMs, () => void refetchRun(cache, ['watching', 'ended']))

/** Refetches an auction if it is on screen. Does nothing if the id is not an auction's. */
const refetchAuction = (cache: QueryClient, postId: string): void =>
  void cache.invalidateQueries({ queryKey: auctionQuery(postId).queryKey })

/** Applies changes to all cached lists. Lists that are not on screen have no cached data. */
function patchLists(cache: QueryClient, { rows, gone }: LaneChanges): void {
  const changes = new Map(rows.map((row) => [row.postId, row]))
  const left = new Set(gone)
  const patch = (row: LaneRow): LaneRow | undefined =>
    left.has(row.postId) ? undefined : withChange(row, changes.get(row.postId))
  const whole = (lane: Lane) => {
    const rest = left.size === 0 ? lane : withoutGone(lane, (postId) => left.has(postId))
    return mapRows(rest, (row) => withChange(row, changes.get(row.postId)))
  }
  cache.setQueryData(laneQuery().queryKey, (lane: Lane | undefined) => lane && whole(lane))
  cache.setQueriesData<InfiniteData<LaneRun>>(
    { queryKey: laneRunsKey },
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
    for (const change of event.rows) storeAuctionEvent(cache, change)
    if (!lane) return
    const known = rowsOf(lane)
    // Refetch immediately. A stale amount of the day limit could block the dealer's next bid.
    if (movesMoney(known, event.rows, event.gone)) void refetchLane(cache)
    const { gone } = laneStore.get()
    const back = event.rows.flatMap(({ postId }) => (gone[postId] ? [postId] : []))
    recordGone(event.gone, back)
    patchLists(cache, event)
    // Refetch each auction to find out whether it still exists.
    for (const postId of [...event.gone, ...back]) refetchAuction(cache, postId)
    const nowMs = Date.parse(event.serverNow)
    const asked = new Set(event.rows.map((change) => followupOf(lane, known.get(change.postId), change, nowMs)))
    const isWhole = (lane.behind.running ?? lane.behind.coming) === null
    if (event.more || asked.has('lists') || isRunDown(lane, nowMs)) refetchAll(cache)
    else if (asked.has('counts')) refetchCounts(cache, isWhole ? wholeEveryMs : manyCountsEveryMs)
    if (event.rows.some((change) => isEnding(known.get(change.postId), change))) refetchEnded(cache)
  },
  'lane.placed': (cache, { postId }) => {
    // The room's events do not contain the dealer's own bidder number and maximum, so refetch the auction.
    refetchAuction(cache, postId)
    if (!cache.getQueryData(laneQuery().queryKey)) return
    notePlaced(postId)
    refetchSoon(cache)
  },
}

/** Handles the dealer's own changes: pins, maximums set before the start, and the day limit. */
export const laneInbox = {
  lane: (cache, id) => {
    void refetchLaneLists(cache)
    // For a maximum, win or reserve, `id` is a post. For pins and the day limit it is the dealer's id, and this call does nothing.
    refetchAuction(cache, id)
  },
  saved: (cache) => {
    void refetchLane(cache)
    void refetchRun(cache, ['watching'])
  },
  // A canceled deal releases its share of the day limit.
  deal: (cache) => void refetchLane(cache),
} satisfies InboxHandlers
