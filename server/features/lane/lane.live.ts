import type { LaneChange, LaneChanges } from '#shared/events/lane.ts'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { LiveFeature } from '#server/realtime/live-server.ts'
import { createPaced } from '#server/realtime/throttle.ts'
import { dealerRoom, laneRoom } from '#server/realtime/rooms.ts'

/** Milliseconds between events from this process. Each node forwards the events once a second (room-throttle.ts). */
const rowsEveryMs = 250
const rowsMax = 50

function toChange(state: AuctionState): LaneChange {
  const { postId, seq, status, amount, minNext, bidCount, leader, reserve, startsAt, endsAt } = state
  return { postId, seq, status, amount, minNext, bidCount, leader, reserve, startsAt, endsAt }
}

const newer = (held: LaneChange | null | undefined, next: LaneChange) => (held && held.seq > next.seq ? held : next)

const bySoonestEnd = (a: LaneChange, b: LaneChange) => Date.parse(a.endsAt) - Date.parse(b.endsAt)

function toEvent(moved: ReadonlyMap<string, LaneChange | null>, serverNow: string, more = false): LaneChanges {
  const rows = [...moved.values()].filter((row) => row !== null)
  const gone = [...moved].flatMap(([postId, row]) => (row === null ? [postId] : []))
  return {
    rows: rows.length > rowsMax ? rows.toSorted(bySoonestEnd).slice(0, rowsMax) : rows,
    gone: gone.slice(0, rowsMax),
    more: more || rows.length > rowsMax || gone.length > rowsMax,
    serverNow,
  }
}

/** Merges two Lane events. The newest state of each post wins. */
export function mergeLane(held: LaneChanges, next: LaneChanges): LaneChanges {
  const moved = new Map<string, LaneChange | null>(held.rows.map((row) => [row.postId, row]))
  for (const postId of [...held.gone, ...next.gone]) moved.set(postId, null)
  for (const row of next.rows) moved.set(row.postId, newer(moved.get(row.postId), row))
  const serverNow = held.serverNow > next.serverNow ? held.serverNow : next.serverNow
  return toEvent(moved, serverNow, held.more || next.more)
}

export const laneLive: LiveFeature = {
  views: {
    // Any dealer in the network may join, because the Lane shows nothing that the feed does not show.
    lane: async () => laneRoom,
  },
  publish(ctx, io) {
    const moved = new Map<string, LaneChange | null>()
    let serverNow = ''
    const { request } = createPaced({ everyMs: rowsEveryMs, atOnce: 1 }, () => {
      io.to(laneRoom).emit('lane.rows', toEvent(moved, serverNow))
      moved.clear()
    })
    ctx.bus.on('auction.read', ({ postId, state }) => {
      moved.set(postId, state && newer(moved.get(postId), toChange(state)))
      serverNow = state?.serverNow ?? ctx.now().toISOString()
      request('lane')
    })
    ctx.bus.on(
      'auction.placed',
      ({ dealerId, postId }) => void io.to(dealerRoom(dealerId)).emit('lane.placed', { postId }),
    )
  },
  merges: { 'lane.rows': mergeLane },
}
