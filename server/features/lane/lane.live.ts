import type { LaneChange, LaneChanges } from '#shared/events/lane.ts'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { LiveFeature } from '#server/realtime/live-server.ts'
import { createPaced } from '#server/realtime/paced.ts'
import { dealerRoom, laneRoom } from '#server/realtime/rooms.ts'

/** What this process has to say is gathered for so long; on each node the room hears it once a second (room-pace.ts). */
const rowsEveryMs = 250
const rowsMax = 50

function toChange(state: AuctionState): LaneChange {
  const { postId, seq, status, amount, minNext, bidCount, leader, reserve, startsAt, endsAt } = state
  return { postId, seq, status, amount, minNext, bidCount, leader, reserve, startsAt, endsAt }
}

const newer = (held: LaneChange | undefined, next: LaneChange) =>
  held !== undefined && held.seq > next.seq ? held : next

/** Of two words about the Lane, one that says what both do: each post once, the newest; too many are those that end last. */
export function mergeLane(held: LaneChanges, next: LaneChanges): LaneChanges {
  const rows = new Map(held.rows.map((row) => [row.postId, row]))
  const isBack = new Set(next.rows.map(({ postId }) => postId))
  const gone = [...new Set([...held.gone.filter((postId) => !isBack.has(postId)), ...next.gone])]
  for (const row of next.rows) rows.set(row.postId, newer(rows.get(row.postId), row))
  for (const postId of next.gone) rows.delete(postId)
  const soonest = [...rows.values()].toSorted((a, b) => a.endsAt.localeCompare(b.endsAt))
  return {
    rows: soonest.slice(0, rowsMax),
    gone: gone.slice(0, rowsMax),
    more: held.more || next.more || soonest.length > rowsMax || gone.length > rowsMax,
    serverNow: held.serverNow > next.serverNow ? held.serverNow : next.serverNow,
  }
}

export const laneLive: LiveFeature = {
  views: {
    // For every dealer who is in the network: it says nothing that the feed does not.
    lane: async () => laneRoom,
  },
  publish(ctx, io) {
    let held: LaneChanges | undefined
    const { tell } = createPaced({ everyMs: rowsEveryMs, atOnce: 1 }, () => {
      if (held !== undefined) io.to(laneRoom).emit('lane.rows', held)
      held = undefined
    })
    ctx.bus.on('auction.read', ({ postId, state }) => {
      const next: LaneChanges = {
        rows: state === null ? [] : [toChange(state)],
        gone: state === null ? [postId] : [],
        more: false,
        serverNow: state?.serverNow ?? ctx.now().toISOString(),
      }
      held = held === undefined ? next : mergeLane(held, next)
      tell('lane')
    })
    ctx.bus.on(
      'auction.placed',
      ({ dealerId, postId }) => void io.to(dealerRoom(dealerId)).emit('lane.placed', { postId }),
    )
  },
  merges: { 'lane.rows': mergeLane },
}
