import fc from 'fast-check'
import t from 'tap'
import { createAnnouncer } from '#client/features/lane/signs/lane-announcer.ts'
import { slotAfter } from '#client/features/lane/lane-shortcuts.ts'
import { slotForAutoPin, slotForOpened, withPin } from '#client/features/lane/position/lane-pins.ts'
import { barOf, positionStateOf } from '#client/features/lane/position/lane-position-state.ts'
import {
  countsOf,
  followupOf,
  hasTooFewRows,
  mapRows,
  mostUrgent,
  withChange,
  withHeld,
} from '#client/features/lane/lists/row-standing.ts'
import { createSoundQueue, soundStatesOf, type Sound, soundsBetween } from '#client/features/lane/signs/lane-sounds.ts'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { type Arming, type ArmingEvent, idle, type Offered, stepArming } from '#client/lib/auction/bid-arming.ts'
import { hasGap, withState } from '#client/lib/auction/cached-auctions.ts'
import { bidHistoryMax, shownBidsMax } from '#shared/limits.ts'
import type { Auction, Bid } from '#shared/schemas/auctions.ts'
import type { Lane, LaneRow } from '#shared/schemas/lane.ts'
import { aLane, aRow, stateOf } from '#tests/support/lane.ts'
import { holds, sameJson } from '#tests/support/properties.ts'
import { anAuction } from '#tests/support/records.ts'

const offered: Offered = { kind: 'bid', base: 23_500, least: 24_000, price: 23_500, next: 24_000 }
const at = 100_000

function play(...events: [atMs: number, event: ArmingEvent][]) {
  let held: Arming = idle(offered)
  const sent: string[] = []
  for (const [nowMs, event] of events) {
    const { next, send } = stepArming(held, event, nowMs)
    held = next
    if (send) sent.push(`${send.kind} ${send.total}`)
  }
  return { held, sent, armed: held.armed?.total, said: held.notice?.text }
}

const press = (
  total = 24_000,
  about: { oneTap?: boolean; label?: string; typed?: boolean; focusedMs?: number } = {},
) => {
  const { label = '+$500', oneTap = false, ...rest } = about
  return { is: 'press', press: { total, at: label, oneTap, ...rest } } as const
}
const price = (amount: number, kind: Offered['kind'] = 'bid') =>
  ({ is: 'offered', offered: { kind, base: amount, least: amount + 500, price: amount, next: amount + 500 } }) as const

t.test('arms on the first press, sends on the second, and cancels when anything intervenes', (t) => {
  t.same(play([at, press()], [at + 500, press()]).sent, ['bid 24000'])
  const drops: [string, [number, ArmingEvent], string | undefined][] = [
    ['six seconds', [at + 6_000, { is: 'tick' }], undefined],
    ['Escape, the focus or the window elsewhere, the end', [at + 100, { is: 'drop' }], undefined],
    ['a lost connection', [at + 100, { is: 'drop', say: 'No bid was placed.' }], 'No bid was placed.'],
    ['a price that has passed it', [at + 100, price(24_000)], 'Price moved to $24,000'],
    ['leading by now', [at + 100, price(23_500, 'max')], 'Price moved to $23,500'],
  ]
  for (const [why, event, said] of drops) {
    const { armed, said: words, sent } = play([at, press()], event)
    t.same({ armed, words, sent }, { armed: undefined, words: said, sent: [] }, why)
  }
  t.end()
})

t.test('keeps an amount armed while it would still be accepted', (t) => {
  const two = press(26_000, { label: '+$2,500' })
  t.equal(play([at, two], [at + 100, price(25_000)]).armed, 26_000)
  t.same(play([at, two], [at + 100, price(25_000)], [at + 900, two]).sent, ['bid 26000'], 'at the displayed price')
  t.equal(play([at, two], [at + 100, price(26_000)]).armed, undefined)
  t.end()
})

t.test('does not confirm an armed amount after its time or by another button', (t) => {
  t.same(play([at, press()], [at + 6_000, press()]).sent, [], 'too late, so it is armed again')
  const other = play([at, press()], [at + 100, press(25_000, { label: '+$1,500' })])
  t.same([other.sent, other.armed], [[], 25_000])
  t.end()
})

t.test('does not send a first press within 250 ms of a change, in both modes', (t) => {
  for (const oneTap of [false, true]) {
    const early = play([at, price(24_000)], [at + 240, press(24_500, { oneTap })])
    t.same([early.sent, early.armed], [[], undefined])
    t.equal(early.said, 'Price just moved to $24,000. Press again.')
    const later = play(
      [at, price(24_000)],
      [at + 240, press(24_500, { oneTap })],
      [at + 500, press(24_500, { oneTap })],
    )
    t.same(oneTap ? later.sent : later.armed, oneTap ? ['bid 24500'] : 24_500)
  }
  const same = play([at - 9_000, price(24_000)], [at, price(24_000)], [at + 10, press(24_500, { oneTap: true })])
  t.same(same.sent, ['bid 24500'], 'the same price again is not a change')
  const first = { is: 'offered', offered: { ...offered, least: 24_500 } } as const
  t.same(play([at, first], [at + 240, press(24_500, { oneTap: true })]).sent, [], 'a first bid at the starting amount')
  t.end()
})

t.test('requires 300 ms of focus before a key bids at once', (t) => {
  t.same(play([at, press(24_000, { oneTap: true, focusedMs: 290 })]).sent, [])
  t.same(play([at, press(24_000, { oneTap: true, focusedMs: 300 })]).sent, ['bid 24000'])
  t.end()
})

t.test('asks about an amount far above the next bid and sends it only on yes', (t) => {
  const far = press(45_000, { label: 'typed', typed: true })
  const asked = play([at, far])
  t.same([asked.held.asked?.total, asked.sent, asked.armed], [45_000, [], undefined])
  t.same(play([at, far], [at + 900, { is: 'answer', yes: true }]).sent, ['bid 45000'])
  t.same(play([at, far], [at + 900, { is: 'answer', yes: false }]).sent, [])
  t.same(play([at, far], [at + 100, { is: 'drop' }], [at + 900, { is: 'answer', yes: true }]).sent, [])
  t.equal(play([at, press(30_000, { label: 'typed', typed: true })]).armed, 30_000, 'a quarter above is not far')
  t.match(play([at, press(23_999, { label: 'typed', typed: true })]).said, /Enter \$24,000 or more/)
  t.end()
})

t.test('asks about a maximum above twice the next bid, and keeps it while it suffices', (t) => {
  const maximum = (total: number) => ({ is: 'maximum', total }) as const
  const yes = { is: 'answer', yes: true } as const
  t.same(play([at, maximum(48_000)]).sent, ['max 48000'], 'twice is not far')
  const far = play([at, maximum(270_000)])
  t.same([far.held.asked?.kind, far.held.asked?.total, far.sent], ['max', 270_000, []])
  t.same(play([at, maximum(270_000)], [at + 900, yes]).sent, ['max 270000'])
  t.same(play([at, maximum(270_000)], [at + 100, price(30_000)], [at + 900, yes]).sent, ['max 270000'])
  t.same(play([at, maximum(270_000)], [at + 100, price(30_000, 'max')], [at + 900, yes]).sent, ['max 270000'])
  t.same(play([at, maximum(270_000)], [at + 100, price(270_000)], [at + 900, yes]).sent, [], 'no longer enough')
  t.same(play([at, press()], [at + 100, maximum(30_000)]).held.armed, undefined)
  const leading = price(23_500, 'max')
  t.equal(play([at, leading], [at + 900, press(48_500)]).held.asked?.total, 48_500, 'one step above a high maximum')
  t.equal(play([at, leading], [at + 900, press(45_000)]).armed, 45_000)
  t.end()
})

/** Random auction histories. Each lists the full response after every change. */
const histories = fc
  .array(fc.record({ isBid: fc.boolean(), bidder: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 70 })
  .map((changes) => {
    const first = anAuction({ postId: 'p', seq: 0, you: { isSeller: false, number: 1, maximum: null, preset: null } })
    const all: Auction[] = [first]
    let bids: Bid[] = []
    for (const [index, { isBid, bidder }] of changes.entries()) {
      const before = all.at(-1) ?? first
      const seq = index + 1
      const amount = (before.amount ?? 19_500) + 500
      if (isBid)
        bids = [{ seq, no: before.bidCount + 1, amount, bidder, auto: false, at: first.startsAt }, ...bids].slice(
          0,
          bidHistoryMax,
        )
      all.push({
        ...before,
        seq,
        bids,
        ...(isBid
          ? { amount, minNext: amount + 500, bidCount: before.bidCount + 1, leader: bidder }
          : { reserve: 'met' as const }),
      })
    }
    return all
  })

t.test('equals a fresh fetch after lost, duplicated and late events in both rooms', (t) =>
  holds(
    t,
    fc.property(histories, fc.infiniteStream(fc.nat()), (history, dice) => {
      const roll = (below: number) => (dice.next().value as number) % below
      const newest = history.at(-1)
      if (!newest) return
      // Often start before the first bid with only a few received events.
      let held = history[roll(3) === 0 ? 0 : roll(history.length)] ?? newest
      // The newest state arrives last. Earlier states may be lost, duplicated or late.
      const heard = Array.from(
        { length: roll(2) === 0 ? roll(3) : roll(40) },
        () => history[roll(history.length)] ?? newest,
      )
      for (const { you: _you, seller: _seller, ...state } of [...heard, newest])
        held = withState(held, { ...state, bids: state.bids.slice(0, shownBidsMax) })
      sameJson(
        held.bids.slice(0, shownBidsMax),
        newest.bids.slice(0, shownBidsMax),
        'what a position of the Lane shows',
      )
      if (hasGap(held)) held = newest
      sameJson({ ...held, you: 0 }, { ...newest, you: 0 })
    }),
  ),
)

t.test('keeps the newest of events and responses in Lane rows, in any order', (t) =>
  holds(
    t,
    fc.property(histories, fc.array(fc.nat(), { maxLength: 30 }), fc.nat(), (history, order, read) => {
      const newest = history.at(-1)
      if (!newest) return
      const nth = (index: number) => history[index % history.length] ?? newest
      let lane = aLane({ running: [aRow(nth(read))] })
      // The newest state arrives at a random position.
      const heard = order.toSpliced(read % (order.length + 1), 0, history.length - 1)
      for (const index of heard) lane = mapRows(lane, (row) => withChange(row, stateOf(nth(index))))
      // The server read this response before the client received its current state.
      lane = withHeld(aLane({ running: [aRow(nth(read))] }), lane, () => false)
      sameJson(lane.running[0]?.auction, stateOf(newest))
    }),
  ),
)

t.test('refetches the Lane only for changes to lists or counts', (t) => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  const auction = (startsIn: number, endsIn: number, about: Partial<Auction> = {}) =>
    anAuction({ startsAt: inMinutes(startsIn), endsAt: inMinutes(endsIn), bidCount: 3, ...about })
  const [runs, comes] = [aRow(auction(-60, 10)), aRow(auction(10, 70))]
  const lane = aLane({ running: [runs], coming: [comes] })
  const partial = { ...lane, behind: { running: 'a', coming: 'b' } }
  const asks = (held: Lane, row: LaneRow | undefined, change: Auction) => followupOf(held, row, stateOf(change), now)
  t.equal(asks(lane, undefined, auction(-5, 60)), 'lists', 'the complete list does not contain it')
  t.equal(asks(partial, undefined, auction(-5, 9)), 'lists', 'it ends before the last that is listed')
  t.equal(asks(partial, undefined, auction(9, 69)), 'lists', 'it begins before the last that is listed')
  t.equal(asks(partial, undefined, auction(-5, 60)), undefined, 'a bid beyond the loaded part')
  t.equal(asks(partial, undefined, auction(11, 71, { bidCount: 0 })), 'counts', 'a new auction at the end of the list')
  t.equal(asks(partial, undefined, auction(-5, 60, { status: 'sold' })), 'counts')
  t.equal(asks(partial, runs, auction(-60, 10, { status: 'sold' })), 'counts', 'watched auctions are counted, too')
  t.equal(hasTooFewRows(lane, now), false)
  t.equal(hasTooFewRows(partial, now), true, 'others move up')
  t.equal(asks(partial, runs, auction(-60, 10)), undefined)
  t.end()
})

t.test('counts running and coming auctions by the clock if the lists are complete', (t) => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  const row = (startsIn: number) => aRow(anAuction({ startsAt: inMinutes(startsIn), endsAt: inMinutes(startsIn + 60) }))
  const lane = aLane({
    running: [row(-30)],
    coming: [row(10)],
    counts: { running: 1, coming: 1, watching: 0, selling: 0 },
  })
  t.same(countsOf(lane, now), { running: 1, coming: 1 })
  t.same(countsOf(lane, now + 11 * 60_000), { running: 2, coming: 0 }, 'an auction has begun')
  t.same(countsOf(lane, now + 31 * 60_000), { running: 1, coming: 0 }, 'an auction has ended')
  const counts = { ...lane.counts, running: 700 }
  const partial = { ...lane, behind: { running: 'a', coming: null }, counts }
  t.same(countsOf(partial, now), { running: 700, coming: 1 }, 'the server counts auctions that are not listed')
  t.end()
})

const settled = {
  isOver: (_postId: string) => false,
  hasBid: (_postId: string) => true,
  isKept: (_postId: string) => false,
  leads: (_postId: string) => false,
}

t.test('automatically uses a free pane, an ended one or one without a bid, but not the focused one', (t) => {
  const pins = ['a', 'b', 'c', 'd'].map((postId, index) => ({ postId, slot: index + 1 }))
  const grid = { pins, positionCount: 4, focused: 1 as number | undefined, ...settled }
  const slot = (about: Partial<typeof grid>) => slotForAutoPin({ ...grid, ...about })
  t.equal(slot({ pins: pins.slice(0, 2) }), 3)
  t.equal(slot({ pins: pins.slice(1) }), null, 'free, but it has the focus')
  t.equal(slot({ isOver: (id) => id === 'a' || id === 'c' }), 3)
  t.equal(slot({ hasBid: (id) => id !== 'a' && id !== 'd' }), 4)
  t.equal(slot({}), null, 'only the strip')
  const isOver = (id: string) => id === 'b' || id === 'c'
  t.equal(slot({ isOver, hasBid: () => false, isKept: (id) => id === 'b' }), 3, 'a pinned auction stays')
  t.equal(
    slot({ isOver, hasBid: (id) => id === 'a' || id === 'd', isKept: isOver }),
    null,
    'a pinned auction without a bid stays, too',
  )
  t.same(
    withPin(pins, 'e', 2).filter((pin) => pin.slot === 2 || pin.postId === 'b'),
    [
      { postId: 'b', slot: null },
      { postId: 'e', slot: 2 },
    ],
  )
  t.end()
})

t.test('uses a spare pane on click, else the focused one, and a pane the dealer leads last', (t) => {
  const pins = ['a', 'b', 'c', 'd'].map((postId, index) => ({ postId, slot: index + 1 }))
  const grid = { pins, positionCount: 4, focused: 2 as number | undefined, ...settled }
  const slot = (about: Partial<typeof grid>, wanted?: number) => slotForOpened({ ...grid, ...about }, wanted)
  t.equal(slot({ pins: pins.slice(0, 2) }), 3, 'a free pane')
  t.equal(slot({ isOver: (id) => id === 'd' }), 4, 'a pane with an ended auction')
  t.equal(slot({ hasBid: (id) => id !== 'c' }), 3, 'a pane where they never bid')
  t.equal(slot({ hasBid: () => false }), 2, 'the focused one of equal ones')
  t.equal(slot({}), 2)
  t.equal(slot({ leads: (id) => id === 'b' }), 1, 'they lead in the focused pane')
  t.equal(slot({ focused: undefined, leads: (id) => id === 'a' }), 2)
  t.equal(slot({ leads: () => true }), 2, 'they lead everywhere')
  t.equal(slot({ hasBid: (id) => id !== 'c' }, 2), 2, 'from the strip to the focused pane')
  t.equal(slot({ hasBid: (id) => id !== 'c', leads: (id) => id === 'b' }, 2), 3)
  t.end()
})

t.test('moves to the adjacent pane with arrow keys and stops at the edge', (t) => {
  t.equal(slotAfter(2, { dx: 1, dy: 0 }, 6, 3), 3)
  t.equal(slotAfter(3, { dx: 1, dy: 0 }, 6, 3), 3, 'the edge')
  t.equal(slotAfter(2, { dx: 0, dy: 1 }, 6, 3), 5)
  t.end()
})

const mine = (about: Partial<Auction>) => {
  const auction = anAuction({ postId: 'p', amount: 21_000, minNext: 21_500, bidCount: 2, ...about })
  return aRow({ ...auction, you: about.you ?? { ...auction.you, number: 1 } })
}

t.test("plays one sound per 400 ms for the dealer's own auctions, most important first", (t) => {
  const now = Date.now()
  const ends = (ms: number) => ({ endsAt: new Date(now + ms).toISOString() })
  const between = (before: Partial<Auction>, after: Partial<Auction>) =>
    soundsBetween(soundStatesOf([mine(before)], now), soundStatesOf([mine(after)], now))
  t.same(between({ leader: 1 }, { leader: 2 }), ['outbid'])
  t.same(between({ leader: 2 }, { leader: 1, reserve: 'met' }), ['taken'])
  t.same(between({ leader: 2, reserve: 'not_met' }, { leader: 1, reserve: 'met' }), ['taken', 'reserve'])
  t.same(between({ leader: 1, ...ends(11_000) }, { leader: 1, ...ends(9_900) }), ['tick'])
  t.same(between({ leader: 1 }, { leader: 1, status: 'sold' }), ['won'])
  const first = { number: null, isSeller: false, maximum: null, preset: null }
  t.same(between({ leader: null, you: first }, { leader: 1 }), ['taken'], 'the first bid')
  t.same(between({ leader: 2, you: first }, { leader: 2 }), ['outbid'], 'a first bid that another’s maximum passes')
  t.same(between({ leader: 2, reserve: 'not_met', you: first }, { leader: 3, reserve: 'met', you: first }), [])
  t.same(between({ leader: 2, ...ends(11_000), you: first }, { leader: 3, ...ends(9_900), you: first }), [])
  t.same(
    soundsBetween(new Map(), soundStatesOf([mine({ leader: 2 })], now)),
    [],
    'an auction that was not known before',
  )
  const played: Sound[] = []
  const queue = createSoundQueue((sound) => played.push(sound))
  queue.add(['won', 'taken', 'outbid'])
  for (const ms of [0, 250, 500, 750, 1_000]) queue.tick(ms)
  t.same(played, ['outbid', 'taken', 'won'])
  t.end()
})

t.test('announces the newest state of each pane, one line per two seconds', (t) => {
  const said: string[] = []
  const { announce, tick } = createAnnouncer((line) => said.push(line))
  announce(1, 'one')
  announce(2, 'two')
  announce(1, 'one anew')
  for (let ms = 0; ms <= 5_000; ms += 250) tick(ms)
  t.same(said, ['one anew', 'two'])
  t.end()
})

t.test('has a text for each state of a pane', (t) => {
  const now = Date.now()
  const you = { isSeller: false, number: 1, maximum: null, preset: null }
  const bids: Bid[] = [
    { seq: 2, no: 2, amount: 21_000, bidder: 2, auto: false, at: new Date(now - 3_000).toISOString() },
    { seq: 1, no: 1, amount: 20_500, bidder: 1, auto: false, at: new Date(now - 9_000).toISOString() },
  ]
  const led = { amount: 21_000, minNext: 21_500, bidCount: 2, bids, leader: 2, you }
  const words = (about: Partial<Auction>, online = true) => {
    const auction = anAuction(about)
    const bar = barOf(positionStateOf(auction, phaseOf(auction, now), online), auction, now, now)
    return `${bar.icon}: ${bar.title}, ${bar.detail}`
  }
  const stranger = { ...you, number: null }
  const soon = new Date(now + 60_000).toISOString()
  t.match(words({ startsAt: soon }), /^clock: Upcoming, opens \d/)
  const own = { ...you, number: null, isSeller: true }
  t.match(words({ startsAt: soon, you: own }), /^gavel: Your auction, opens \d/)
  t.equal(words({ ...led, you: own }), 'gavel: Your auction, Bidder 2 leads')
  t.match(words({ ...led, you: own }, false), /^offline: Bids are paused/)
  t.equal(words({}), 'gavel: No bids yet, opens at $20,000')
  t.equal(words({ ...led, you: stranger }), 'gavel: Bidder 2 leads, you have not bid')
  t.equal(
    words({ ...led, leader: 1, bids: [{ ...bids[0], bidder: 1 } as Bid, { ...bids[1], bidder: 2 } as Bid] }),
    'check: You are winning, by $500',
  )
  t.equal(
    words({ ...led, leader: 1, reserve: 'not_met', bids: [{ ...bids[0], bidder: 1 } as Bid] }),
    'hourglass: High bid, reserve not met, the only bid',
  )
  t.equal(
    words({
      ...led,
      leader: 1,
      reserve: 'not_met',
      bids: [{ ...bids[0], bidder: 1 } as Bid, { ...bids[1], bidder: 2 } as Bid],
    }),
    'hourglass: High bid, reserve not met, $500 ahead',
  )
  t.equal(words(led), 'alert: You have been outbid, Bidder 2, 3 s ago')
  t.match(words({ ...led, endsAt: new Date(now - 1).toISOString() }), /^hourglass: Closing…/)
  t.equal(words({ ...led, status: 'sold', leader: 1 }), 'trophy: You won, yours for $21,000')
  t.equal(words({ ...led, status: 'sold' }), 'gavel: Sold, Bidder 2, $21,000')
  const decided = { ...led, status: 'deciding', leader: 1, endsAt: new Date(now - 3_600_000).toISOString() } as const
  t.match(words(decided), /^hourglass: Reserve not met, answer due in 2[23] h/)
  t.match(words({ ...decided, leader: 2 }), /^hourglass: The seller decides/)
  t.match(words({ status: 'no_sale' }), /^gavel: No sale/)
  t.match(words(led, false), /^offline: Bids are paused, as of \d{1,2}:\d\d:\d\d\s[AP]M/)
  t.equal(mostUrgent([mine({ leader: 1 }), mine({ leader: 2, seq: 9 })], now)?.auction.seq, 9)
  t.end()
})
