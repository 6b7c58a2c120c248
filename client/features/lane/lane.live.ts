import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { suggestServerTime } from '#client/lib/connection.ts'
import { auctionQuery, noteHeard } from '#client/lib/held-auctions.ts'
import { doLater, doPaced } from '#client/lib/later.ts'
import type { InboxHandlers, LiveHandlers } from '#client/lib/live.ts'
import type { LaneChanges, LaneEvents } from '#shared/events/lane.ts'
import type { Lane, LaneRow, LaneRun, LaneSelling } from '#shared/schemas/lane.ts'
import { laneQuery, laneRunsKey, laneSellingQuery, refetchLane, refetchLaneLists, refetchRun } from './lane.api.ts'
import { followupOf, isEnding, isRunDown, mapRows, movesMoney, rowsOf, withChange, withoutGone } from './lane-rows.ts'
import { laneStore, noteGone, notePlaced } from './lane.store.ts'

/** More moved than an event holds, or something new: all is fetched again, but not more often. */
const wholeEveryMs = 10_000
/** Where one's lists are not whole, there are many: what is counted beyond them may be late. */
const manyCountsEveryMs = 60_000
/** What follows upon a bid of one's own may take a moment; many of them are one fetch. */
const soonMs = 1_000

/** One fetch of each kind waits at a time. */
const refetchSoon = (cache: QueryClient) => doLater('lane.soon', soonMs, () => void refetchLane(cache))
const refetchCounts = (cache: QueryClient, everyMs: number) =>
  doPaced('lane.counts', everyMs, () => void refetchLane(cache))
const refetchAll = (cache: QueryClient) => doPaced('lane.all', wholeEveryMs, () => void refetchLaneLists(cache))
/** What moves by an end alone: nothing else brings it to who looks there. */
const refetchEnded = (cache: QueryClient) =>
  doPaced('lane.ended', wholeEveryMs, () => void refetchRun(cache, ['watching', 'ended']))

/** A place, or a popup, asks for its auction again. An id that is of no auction changes nothing. */
const refetchAuction = (cache: QueryClient, postId: string): void =>
  void cache.invalidateQueries({ queryKey: auctionQuery(postId).queryKey })

/** Every list that is held, with what has moved. Lists that nobody looks at hold nothing. */
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
    for (const change of event.rows) noteHeard(cache, change)
    if (!lane) return
    const known = rowsOf(lane)
    // At once: a figure of the day that is too high stands in the way of the next bid.
    if (movesMoney(known, event.rows, event.gone)) void refetchLane(cache)
    const { gone } = laneStore.get()
    const back = event.rows.flatMap(({ postId }) => (gone[postId] ? [postId] : []))
    noteGone(event.gone, back)
    patchLists(cache, event)
    // A place asks whether it is there.
    for (const postId of [...event.gone, ...back]) refetchAuction(cache, postId)
    const nowMs = Date.parse(event.serverNow)
    const asked = new Set(event.rows.map((change) => followupOf(lane, known.get(change.postId), change, nowMs)))
    const isWhole = (lane.behind.running ?? lane.behind.coming) === null
    if (event.more || asked.has('lists') || isRunDown(lane, nowMs)) refetchAll(cache)
    else if (asked.has('counts')) refetchCounts(cache, isWhole ? wholeEveryMs : manyCountsEveryMs)
    if (event.rows.some((change) => isEnding(known.get(change.postId), change))) refetchEnded(cache)
  },
  'lane.placed': (cache, { postId }) => {
    // Its room does not say which bidder one is, nor up to what: also a popup without the Lane would not know.
    refetchAuction(cache, postId)
    if (!cache.getQueryData(laneQuery().queryKey)) return
    notePlaced(postId)
    refetchSoon(cache)
  },
}

/** Pins, maximums at the start, the day: what of the dealer's own is shown in the Lane. */
export const laneInbox = {
  lane: (cache, id) => {
    void refetchLaneLists(cache)
    // Of a maximum, a win or a reserve it is the post; of pins and the day, which no auction tells of, the dealer.
    refetchAuction(cache, id)
  },
  saved: (cache) => {
    void refetchLane(cache)
    void refetchRun(cache, ['watching'])
  },
  // One that is cancelled gives back what it took of the day.
  deal: (cache) => void refetchLane(cache),
} satisfies InboxHandlers
