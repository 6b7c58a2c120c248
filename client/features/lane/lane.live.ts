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
  hasTooFewRows,
  mapRows,
  affectsDayLimit,
  rowsOf,
  withChange,
  withoutRemoved,
} from './lists/row-standing.ts'
import { laneStore, recordRemoved, notePlaced } from './lane.store.ts'

/** Minimum milliseconds between refetches of the lists, and of the counts if the lists are completely loaded. */
const wholeEveryMs = 10_000
/** Minimum milliseconds between refetches of the counts while the lists are only partly loaded. The counts may lag by this much. */
const manyCountsEveryMs = 60_000
/** Milliseconds from the dealer's bid to the refetch, so that several bids cause only one refetch. */
const soonMs = 1_000

const refetchSoon = (cache: QueryClient) => runLater('lane.soon', soonMs, () => void refetchLane(cache))
const refetchCounts = (cache: QueryClient, everyMs: number) =>
  runPaced('lane.counts', everyMs, () => void refetchLane(cache))
const refetchAll = (cache: QueryClient) => runPaced('lane.all', wholeEveryMs, () => void refetchLaneLists(cache))
/** Refetches the lists that change when an auction ends, because no event describes those changes. */
const refetchEnded = (cache: QueryClient) =>
  runPaced('lane.ended', wholeEveryMs, () => void refetchRun(cache, ['watching', 'ended']))

const refetchAuction = (cache: QueryClient, postId: string): void =>
  void cache.invalidateQueries({ queryKey: auctionQuery(postId).queryKey })

function patchLists(cache: QueryClient, { rows, gone }: LaneChanges): void {
  const changes = new Map(rows.map((row) => [row.postId, row]))
  const removed = new Set(gone)
  const patch = (row: LaneRow): LaneRow | undefined =>
    removed.has(row.postId) ? undefined : withChange(row, changes.get(row.postId))
  const patchLane = (lane: Lane) => {
    const rest = removed.size === 0 ? lane : withoutRemoved(lane, (postId) => removed.has(postId))
    return mapRows(rest, (row) => withChange(row, changes.get(row.postId)))
  }
  cache.setQueryData(laneQuery().queryKey, (lane: Lane | undefined) => lane && patchLane(lane))
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
    // Refetch immediately, because an outdated amount of the used day limit could block the dealer's next bid.
    if (affectsDayLimit(known, event.rows, event.gone)) void refetchLane(cache)
    const { removed } = laneStore.get()
    const restored = event.rows.flatMap(({ postId }) => (removed[postId] ? [postId] : []))
    recordRemoved(event.gone, restored)
    patchLists(cache, event)
    // Refetch each auction, because it may no longer exist, or may be for sale again.
    for (const postId of [...event.gone, ...restored]) refetchAuction(cache, postId)
    const nowMs = Date.parse(event.serverNow)
    const asked = new Set(event.rows.map((change) => followupOf(lane, known.get(change.postId), change, nowMs)))
    const isWhole = (lane.behind.running ?? lane.behind.coming) === null
    if (event.more || asked.has('lists') || hasTooFewRows(lane, nowMs)) refetchAll(cache)
    else if (asked.has('counts')) refetchCounts(cache, isWhole ? wholeEveryMs : manyCountsEveryMs)
    if (event.rows.some((change) => isEnding(known.get(change.postId), change))) refetchEnded(cache)
  },
  'lane.placed': (cache, { postId }) => {
    // Refetch the auction, because the room's events do not contain the dealer's own bidder number and maximum.
    refetchAuction(cache, postId)
    if (!cache.getQueryData(laneQuery().queryKey)) return
    notePlaced(postId)
    refetchSoon(cache)
  },
}

export const laneInbox = {
  lane: (cache, id) => {
    void refetchLaneLists(cache)
    // `id` is a post's id for a maximum, a win or a reserve. For pins and the day limit it is the dealer's id, which matches no auction.
    refetchAuction(cache, id)
  },
  saved: (cache) => {
    void refetchLane(cache)
    void refetchRun(cache, ['watching'])
  },
  // A canceled deal releases its share of the day limit.
  deal: (cache) => void refetchLane(cache),
} satisfies InboxHandlers
