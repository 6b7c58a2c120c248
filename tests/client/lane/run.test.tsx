import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { laneQuery } from '#client/features/lane/lane.api.ts'
import { laneInbox, laneLive } from '#client/features/lane/lane.live.ts'
import { acquireSoundLock } from '#client/features/lane/signs/lane-sounds.ts'
import { laneStore } from '#client/features/lane/lane.store.ts'
import { type LiveSocket, setSocket } from '#client/lib/live/connection.ts'
import type { View } from '#shared/events/control.ts'
import type { LaneChanges } from '#shared/events/lane.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { Lane, type LaneRow, LaneRun, LanePins } from '#shared/schemas/lane.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aLane, aRow, stateOf } from '#tests/support/lane.ts'
import { answer, http, sent } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

const serverNow = () => new Date().toISOString()
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

function changes(auctions: Auction[], about: Partial<LaneChanges> = {}): LaneChanges {
  const rows = auctions.map((auction) => {
    const { bids: _bids, ...state } = stateOf(auction)
    return state
  })
  return { rows, gone: [], more: false, serverNow: serverNow(), ...about }
}

const runList = () => screen.findByRole('region', { name: 'Run list' })
const listed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-run-row]')].map(({ dataset }) => dataset['runRow'])

t.test('keeps the run list unchanged under the pointer, even after a click moved the focus', async (t) => {
  const auctions = [anAuction({ endsAt: inMs(300_000) }), anAuction({ endsAt: inMs(600_000) })]
  const [first, second] = auctions as [Auction, Auction]
  const { cache } = openLane(t, auctions, { pins: [], pinned: [] })
  const list = await runList()
  const rows = list.querySelector('[data-run-rows]') as HTMLElement
  const [row] = within(list).getAllByTitle('2021 Ford F-150 XLT') as [HTMLElement]
  fireEvent.pointerEnter(rows)
  act(() => row.focus())
  fireEvent.click(row)
  const taken = await position(1)
  await becomes(t, () => document.activeElement === taken, true)
  const moves = async (auction: Auction, about: Partial<Auction>) => {
    act(() => laneLive['lane.rows'](cache, changes([{ ...auction, seq: 5, ...about }])))
    await within(list).findByText(`$${about.amount?.toLocaleString('en-US')}`)
  }
  await moves(first, { amount: 21_000, endsAt: inMs(900_000) })
  t.same(listed(), [first.postId, second.postId], 'nothing moves under the pointer')
  fireEvent.pointerLeave(rows)
  await becomes(t, listed, [second.postId, first.postId])
  act(() => row.focus())
  fireEvent.pointerEnter(rows)
  fireEvent.pointerLeave(rows)
  await moves(second, { amount: 22_000, endsAt: inMs(990_000) })
  t.same(listed(), [second.postId, first.postId], 'not under the focus either')
})

t.test('keeps the results of two quick clicks, whatever is answered in between', async (t) => {
  const auctions = [anAuction(), anAuction()]
  const rows = auctions.map((auction) => aRow(auction))
  const [a, b] = auctions.map(({ postId }) => postId) as [string, string]
  const server = { pins: [] as LanePins['pins'], asked: 0 }
  let letGo = () => {}
  let gate: Promise<void> = Promise.resolve()
  const { cache } = openLane(t, auctions, {}, [
    http.get('*/api/lane', () => {
      server.asked += 1
      const pinned = rows.filter(({ postId }) => server.pins.some((pin) => pin.postId === postId))
      return answer(Lane, aLane({ running: rows, pins: server.pins, pinned }))
    }),
    http.put('*/api/lane/pins', async ({ request }) => {
      const body = await sent(LanePins, request)
      await gate
      server.pins = body.pins
      return answer(LanePins, body)
    }),
  ])
  const buttons = within(await runList()).getAllByTitle('2021 Ford F-150 XLT')
  const first = buttons.find(({ dataset }) => dataset['runRow'] === a) as HTMLElement
  const second = buttons.find(({ dataset }) => dataset['runRow'] === b) as HTMLElement
  const held = () => cache.getQueryData(laneQuery().queryKey)?.pins
  const both = [
    { postId: a, slot: 1 },
    { postId: b, slot: 2 },
  ]
  fireEvent.click(first)
  await becomes(t, () => server.pins, both.slice(0, 1))
  gate = new Promise((resolve) => (letGo = resolve))
  fireEvent.click(second)
  await becomes(t, held, both)
  act(() => laneInbox.lane(cache, 'd'))
  await becomes(t, () => server.asked, 2)
  await becomes(t, () => cache.isFetching(), 0)
  t.same(held(), both, 'the response includes only the first press')
  letGo()
  await becomes(t, () => server.pins, both)
  t.same(held(), both)
  await becomes(t, () => cache.isMutating(), 0)
  server.pins = []
  act(() => laneInbox.lane(cache, 'd'))
  await becomes(t, held, [])
})

function openCounted(t: Test, auctions: Auction[], run: (kind: string) => LaneRow[], about: Partial<Lane> = {}) {
  const asked = { lane: 0, watching: 0, ended: 0, running: 0, coming: 0 }
  const rows = auctions.map((auction) => aRow(auction))
  const shown = openLane(t, auctions, {}, [
    http.get('*/api/lane', () => {
      asked.lane += 1
      const pins = rows.map(({ postId }, index) => ({ postId, slot: index + 1 }))
      return answer(Lane, aLane({ running: rows, pins, pinned: rows, ...about }))
    }),
    http.get('*/api/lane/run', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind') as keyof typeof asked
      asked[kind] += 1
      return answer(LaneRun, { rows: run(kind), next: null, serverNow: serverNow() })
    }),
  ])
  return { ...shown, asked }
}

t.test('updates Watching and Ended with changes from elsewhere', async (t) => {
  const auctions = [anAuction()]
  const other = anAuction()
  const lists: Record<string, LaneRow[]> = { watching: [], ended: [] }
  const { cache, asked } = openCounted(t, auctions, (kind) => lists[kind] ?? [])
  await runList()
  fireEvent.mouseDown(screen.getByRole('tab', { name: /^Watching/ }), { button: 0 })
  t.ok(await screen.findByText(/^You're not watching any open auctions/))
  lists['watching'] = [aRow(other)]
  act(() => laneInbox.saved(cache))
  await becomes(t, listed, [other.postId])
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'Ended' }), { button: 0 })
  t.ok(await screen.findByText('No auctions ended in the last week'))
  const sold = { ...other, seq: 9, status: 'sold' as const, amount: 20_000 }
  lists['ended'] = [aRow(sold)]
  act(() => laneLive['lane.rows'](cache, changes([sold])))
  await becomes(t, listed, [other.postId])
  t.equal(asked.ended, 2)
})

t.test('fetches a new auction soon and further ones after a delay', async (t) => {
  const { cache, asked } = openCounted(t, [anAuction()], () => [])
  await runList()
  const before = asked.lane
  act(() => laneLive['lane.rows'](cache, changes([anAuction()])))
  await becomes(t, () => asked.lane, before + 1)
  act(() => laneLive['lane.rows'](cache, changes([anAuction()], { more: true })))
  act(() => laneInbox.deal(cache))
  await becomes(t, () => asked.lane, before + 2)
})

t.test('fetches the next page when an auction ends if no watched one is in the first hundred', async (t) => {
  const over = anAuction({ status: 'no_sale' })
  const watched = aRow(anAuction({ endsAt: inMs(9_000_000) }), { title: 'The watched one', model: null })
  const row = { ...watched, you: { ...watched.you, watching: true } }
  const behind = { running: 'more', coming: null }
  const counts = { running: 500, coming: 0, watching: 1, selling: 0 }
  const { asked } = openCounted(t, [over], (kind) => (kind === 'watching' ? [row] : []), { behind, counts })
  const first = await position(1)
  t.ok(await within(first).findByText(/^Next here in \d:\d\d: 2021 Ford XLT$/))
  t.equal(asked.watching, 1)
})

function hearViews(t: Test): string[] {
  const said: string[] = []
  const socket = {
    connected: true,
    emit: (name: string, { kind, id, on }: View) => name === 'view' && said.push(`${on ? '+' : '-'}${kind}:${id}`),
  }
  setSocket(socket as unknown as LiveSocket)
  t.teardown(() => setSocket(undefined))
  return said
}

t.test("joins a pane's full room before leaving the other on hover", async (t) => {
  const [auction] = [anAuction()]
  const said = hearViews(t)
  openLane(t, [auction])
  const first = await position(1)
  const rooms = () => said.splice(0).filter((one) => one.endsWith(auction.postId))
  t.same(rooms(), [`+lot:${auction.postId}`])
  fireEvent.pointerEnter(first)
  const { postId } = auction
  await becomes(t, () => said.length, 3)
  t.same(rooms(), [`+post:${postId}`, `+auction:${postId}`, `-lot:${postId}`])
  fireEvent.pointerLeave(first)
  await becomes(t, () => said.length, 3)
  t.same(rooms(), [`+lot:${postId}`, `-post:${postId}`, `-auction:${postId}`])
  t.equal(laneStore.get().hovered, undefined)
})

t.test('moves the full event room with focus and pointer, one pane at a time', async (t) => {
  const [one, two] = [anAuction(), anAuction()]
  const said = hearViews(t)
  openLane(t, [one, two])
  const [first, second] = [await position(1), await position(2)]
  const comes = ({ postId }: Auction) => [`+post:${postId}`, `+auction:${postId}`, `-lot:${postId}`]
  const goes = ({ postId }: Auction) => [`+lot:${postId}`, `-post:${postId}`, `-auction:${postId}`]
  const announcementOf = ({ postId }: Auction) => said.filter((room) => room.endsWith(postId))
  const moves = async (from: Auction, to: Auction) => {
    await becomes(t, () => [announcementOf(from), announcementOf(to)], [goes(from), comes(to)])
    said.length = 0
  }
  said.length = 0
  act(() => first.focus())
  await becomes(t, () => announcementOf(one), comes(one))
  said.length = 0
  act(() => second.focus())
  await moves(one, two)
  fireEvent.pointerEnter(first)
  await moves(two, one)
  fireEvent.pointerLeave(first)
  await moves(one, two)
})

t.test('shows at once a preset that another tab sets or removes', async (t) => {
  const startsAt = inMs(600_000)
  const you = { isSeller: false, number: null, maximum: null, preset: 11_000 }
  const coming = anAuction({ startsAt, endsAt: inMs(900_000), you })
  const { cache } = openLane(t, [coming], { running: [], coming: [aRow(coming)] })
  const first = await position(1)
  t.ok(await within(first).findByText('$11,000'))
  coming.you = { ...you, preset: null }
  act(() => laneInbox.lane(cache, coming.postId))
  t.ok(await within(first).findByText('No preset maximum'))
})

/** Returns a list that records vibrations. Every sound comes with one vibration. */
function feelSounds(t: Test): number[][] {
  const felt: number[][] = []
  Object.defineProperty(navigator, 'vibrate', { value: (on: number[]) => felt.push(on), configurable: true })
  t.teardown(() => Reflect.deleteProperty(navigator, 'vibrate'))
  return felt
}

t.test('plays a sound in a hidden tab when its dealer is outbid', async (t) => {
  const felt = feelSounds(t)
  const { setInterval: every } = globalThis
  // Stop the intervals of the screen's clock and of the sounds.
  const stopped = (run: () => void, ms: number) => (ms === 250 || ms === 500 ? 0 : every(run, ms))
  t.intercept(globalThis, 'setInterval', { value: stopped })
  const you = { isSeller: false, number: 1, maximum: 20_000, preset: null }
  const leading = anAuction({ amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, you })
  const strip = { ...leading, postId: anAuction().postId }
  const { cache, tell } = openLane(t, [leading, strip], {}, [], {
    me: { settings: { lane: { sound: true, panes: 4 } } },
  })
  await within(await position(1)).findByText('You are winning')
  await becomes(t, () => cache.isFetching(), 0)
  const outbid = (auction: Auction) => ({ ...auction, seq: 5, amount: 20_500, bidCount: 2, leader: 2 })
  const clock = { ms: Date.now() }
  t.intercept(Date, 'now', { value: () => clock.ms })
  tell(outbid(leading))
  t.same(felt.splice(0), [[80, 60, 160]], 'from the auction’s own event')
  clock.ms += 1_000
  act(() => laneLive['lane.rows'](cache, changes([outbid(strip)])))
  t.same(felt, [[80, 60, 160]], 'from the event of the Lane')
})

/** Fakes the locks that tabs share. Returns the requests that are waiting. */
function shareLocks(t: Test): readonly unknown[] {
  const waiting: (() => Promise<unknown>)[] = []
  let isHeld = false
  const next = async () => {
    const work = isHeld ? undefined : waiting.shift()
    if (work === undefined) return
    isHeld = true
    await work()
    isHeld = false
    void next()
  }
  const locks = {
    request(_name: string, _options: LockOptions, work: () => Promise<unknown>) {
      waiting.push(work)
      return next()
    },
  }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  t.teardown(() => Reflect.deleteProperty(navigator, 'locks'))
  return waiting
}

t.test('plays sounds in one tab and continues in the next when that closes', async (t) => {
  shareLocks(t)
  const sounding: string[] = []
  const [one, two] = [acquireSoundLock(() => sounding.push('one')), acquireSoundLock(() => sounding.push('two'))]
  t.same(sounding, ['one'])
  one()
  await becomes(t, () => sounding, ['one', 'two'])
  two()
})

t.test('keeps a second tab silent until the first one closes', async (t) => {
  const waiting = shareLocks(t)
  const felt = feelSounds(t)
  const giveUp = acquireSoundLock(() => undefined)
  const you = { isSeller: false, number: 1, maximum: 20_000, preset: null }
  const leading = anAuction({ amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, you })
  const { tell } = openLane(t, [leading], {}, [], { me: { settings: { lane: { sound: true, panes: 4 } } } })
  const first = within(await position(1))
  await first.findByText('You are winning')
  const led = (seq: number, leader: number) => ({ ...leading, seq, amount: 20_000 + seq, bidCount: seq, leader })
  tell(led(5, 2))
  await first.findByText(/^You have been outbid/)
  tell(led(6, 1))
  await first.findByText('You are winning')
  t.same(felt, [], "the other tab's announcement is not repeated")
  t.equal(waiting.length, 1)
  giveUp()
  await becomes(t, () => waiting.length, 0)
  tell(led(7, 2))
  await becomes(t, () => felt, [[80, 60, 160]])
})
