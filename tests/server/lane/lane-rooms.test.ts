import t from 'tap'
import type { LaneChange, LaneChanges } from '#shared/events/lane.ts'
import type { BatchedEvent } from '#shared/events/index.ts'
import { auctionsLive } from '#server/features/auctions/auctions.live.ts'
import { laneLive, mergeLane } from '#server/features/lane/lane.live.ts'
import { paceRooms } from '#server/realtime/room-throttle.ts'
import { laneRoom, lotRoom, postRoom } from '#server/realtime/rooms.ts'
import { lanePositionsMax } from '#shared/limits.ts'
import { stateOf } from '#tests/support/lane.ts'
import { anAuction } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'

const row = (postId: string, seq: number, minute = 0): LaneChange => ({
  postId,
  seq,
  status: 'open',
  amount: 10_000 + seq,
  minNext: 10_500 + seq,
  bidCount: seq,
  leader: 1,
  reserve: 'none',
  startsAt: '2026-11-20T10:00:00.000Z',
  endsAt: new Date(Date.UTC(2026, 10, 20, 11, minute)).toISOString(),
})
const said = (rows: LaneChange[], gone: string[] = [], serverNow = '2026-11-20T10:00:00.000Z'): LaneChanges => ({
  rows,
  gone,
  more: false,
  serverNow,
})

t.test('merges two Lane events to the newest row per post and drops those that end last', (t) => {
  const merged = mergeLane(said([row('a', 2), row('b', 1)]), said([row('a', 1), row('b', 2)]))
  t.same(
    merged.rows.map(({ postId, seq }) => [postId, seq]),
    [
      ['a', 2],
      ['b', 2],
    ],
  )
  t.match(mergeLane(said([row('a', 1)]), said([], ['a'])), { rows: [], gone: ['a'] })
  t.match(mergeLane(said([], ['a']), said([row('a', 1)])), { rows: [{ postId: 'a' }], gone: [] }, 'on offer again')
  const many = Array.from({ length: 60 }, (_, index) => row(`p${index}`, 1, 59 - index))
  const full = mergeLane(said(many.slice(0, 30)), said(many.slice(30)))
  t.same([full.rows.length, full.more, full.rows[0]?.postId], [50, true, 'p59'])
  t.equal(mergeLane(full, said([])).more, true, 'a partial event stays partial when merged')
  t.end()
})

t.test('throttles unfocused panes to 600 ms and the Lane to a second', async (t) => {
  const time = stopTime(t)
  const heard: { room: string; said: BatchedEvent[] }[] = []
  const pace = paceRooms({ ...laneLive.merges }, (room, events) => heard.push({ room, said: events }))
  const rooms = [postRoom('a'), lotRoom('a'), laneRoom]
  for (let ms = 0; ms < 3_000; ms += 20) {
    for (const room of rooms) pace.enqueue(room, ['lane.rows', said([row('a', ms)])])
    await Promise.resolve()
    time.tick(20)
  }
  time.tick(1_000)
  const times = (room: string) => heard.filter((one) => one.room === room).length
  t.same(rooms.map(times), [32, 6, 4])
  for (const room of rooms) {
    const last = heard.findLast((one) => one.room === room)
    t.match(last?.said, [['lane.rows', { rows: [{ seq: 2_980 }] }]], `${room}: the newest comes last`)
  }
})

t.test('sends twenty packets a second for six active panes on two nodes, without stale panes', async (t) => {
  const time = stopTime(t)
  const [stepMs, seconds] = [10, 30]
  const [focused = '', ...others] = Array.from({ length: lanePositionsMax }, (_, index) => `p${index}`)
  const packets: { room: string; said: BatchedEvent[] }[] = []
  const pace = paceRooms({ ...auctionsLive.merges, ...laneLive.merges }, (room, events) =>
    packets.push({ room, said: events }),
  )
  const tell = (room: string, postId: string, seq: number) => {
    pace.enqueue(room, ['auction.state', stateOf(anAuction({ postId, seq }))])
    pace.enqueue(room, ['post.viewers', { postId, viewers: seq }])
  }
  let seq = 0
  for (let ms = 0; ms < seconds * 1_000; ms += stepMs) {
    // Each of the two nodes announces the bids that it decided.
    for (let node = 0; node < 2; node += 1) {
      seq += 1
      tell(postRoom(focused), focused, seq)
      for (const postId of others) tell(lotRoom(postId), postId, seq)
      pace.enqueue(laneRoom, ['lane.rows', said([focused, ...others].map((postId) => row(postId, seq)))])
    }
    await Promise.resolve()
    time.tick(stepMs)
  }
  t.ok(packets.length <= 20 * seconds, `${packets.length} packets`)
  time.tick(1_000)
  const lastIn = (room: string) => packets.findLast((one) => one.room === room)?.said[0]
  for (const room of [postRoom(focused), ...others.map(lotRoom)])
    t.match(lastIn(room), ['auction.state', { seq }], room)
  t.match(lastIn(laneRoom), ['lane.rows', { rows: [focused, ...others].map((postId) => ({ postId, seq })) }])
})
