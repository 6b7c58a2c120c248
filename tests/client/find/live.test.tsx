import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import t, { type Test } from 'tap'
import { laneLive } from '#client/features/lane/lane.live.ts'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { FindAnswer, type FoundVehicle } from '#shared/schemas/find.ts'
import { press, says } from '#tests/support/controls.ts'
import { anAnswer, box, connect, openFind, titles } from '#tests/support/find-page.tsx'
import { answer, http } from '#tests/support/network.ts'
import { aFound, anAuction, aPostDetail, aShownVehicle } from '#tests/support/records.ts'

const row = (name: string) => {
  const article = screen.getByRole('heading', { name }).closest('article')
  if (article === null) throw new Error(`no row of ${name}`)
  return article
}
const rowSays = (t: Test, name: string, words: string) =>
  becomes(t, () => within(row(name)).queryByText(words) !== null, true)

t.test('grays out vehicles sold before their room was joined, but not changed ones', async (t) => {
  const items = ['Sold one', 'Taken out', 'Gone', 'Cheaper', 'As it was'].map((title) => aFound({ title }))
  const [sold, taken, gone, cheaper, same] = items
  const versions = { [sold!.postId]: 2, [taken!.postId]: 3, [gone!.postId]: 0, [cheaper!.postId]: 2, [same!.postId]: 1 }
  const vehicles: Record<string, ReturnType<typeof aShownVehicle>[]> = {
    [sold!.postId]: [aShownVehicle({ id: sold!.vehicleId, status: 'sold' }), aShownVehicle()],
    [taken!.postId]: [aShownVehicle()],
    [cheaper!.postId]: [aShownVehicle({ id: cheaper!.vehicleId })],
  }
  const told = connect(t, versions)
  const { network } = openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items, total: 5 })))
  network.use(
    http.get('*/api/inventory/:id', ({ params }) => {
      const id = String(params['id'])
      return HttpResponse.json(aPostDetail({ id, version: versions[id] ?? 0, vehicles: vehicles[id] ?? [] }))
    }),
  )
  await says('5 vehicles')
  await rowSays(t, 'Sold one', 'Sold')
  await rowSays(t, 'Taken out', 'Removed')
  await rowSays(t, 'Gone', 'Removed')
  await rowSays(t, 'Cheaper', 'Fixed price')
  await rowSays(t, 'As it was', 'Fixed price')
  t.same(titles(), ['Sold one', 'Taken out', 'Gone', 'Cheaper', 'As it was'], 'nothing moves')
  t.ok(told.includes(`post ${gone!.postId} true`))
})

t.test('grays out rows of a removed post but not of one found again', async (t) => {
  const item = aFound({ title: 'One' })
  const { cache } = openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items: [item], total: 1 })))
  await says('1 vehicle')
  act(() => postsLive['post.removed'](cache, { postId: item.postId }))
  await rowSays(t, 'One', 'Removed')
  fireEvent.click(box(/^My connections/))
  await rowSays(t, 'One', 'Fixed price')
})

t.test('refreshes a search on return and shows earlier results meanwhile', async (t) => {
  let answers: Partial<FindAnswer> = { items: [aFound({ title: 'Sold since' })] }
  let open = (): void => undefined
  const { asked } = openFind(t, '/find', async (params) => {
    const now = answers
    if (asked.length === 3) await new Promise<void>((done) => (open = done))
    return answer(FindAnswer, anAnswer(params.has('photos') ? { items: [aFound({ title: 'Pictured' })] } : now))
  })
  await becomes(t, titles, ['Sold since'])
  answers = { items: [aFound({ title: 'Newest' })] }
  fireEvent.click(box(/^Has photos/))
  await becomes(t, titles, ['Pictured'])
  await press('Remove Has photos')
  await becomes(t, () => asked.length, 3)
  await becomes(t, titles, ['Sold since'])
  t.equal(screen.getByRole('list', { name: 'Vehicles' }).getAttribute('aria-busy'), 'true')
  open()
  await becomes(t, titles, ['Newest'])
  t.equal(screen.getByRole('list', { name: 'Vehicles' }).getAttribute('aria-busy'), null)
})

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

function onAuction(about: Partial<FoundVehicle>, startsAt: string): FoundVehicle {
  const auction = { seq: 4, startsAt, endsAt: inSeconds(600), bidCount: 1, vehicles: 1 }
  return aFound({ price: 20_500, sale: 'live', auction, ...about })
}

const changeOf = (postId: string, about: object) => {
  const { bids: _bids, ...auction } = anAuction({ postId, bidCount: 1, amount: 20_500, leader: 2 })
  return { ...auction, ...about }
}

t.test('updates auction rows from Lane events and turns a starting one live', async (t) => {
  const live = onAuction({ title: 'Running' }, inSeconds(-60))
  const coming = onAuction({ title: 'Coming', sale: 'coming' }, inSeconds(2))
  const items = [live, coming]
  const told = connect(t, Object.fromEntries(items.map(({ postId }) => [postId, 1])))
  const asked: string[] = []
  const { cache, network } = openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items, total: 2 })))
  network.use(
    http.get('*/api/inventory/:id/auction', ({ params }) => {
      asked.push(String(params['id']))
      return HttpResponse.json(anAuction())
    }),
  )
  await says('2 vehicles')
  await rowSays(t, 'Running', 'LIVE')
  await becomes(t, () => told.includes('sync'), true)
  t.equal(told.filter((view) => view === 'lane  true').length, 1)
  t.match(row('Running').textContent, '$20,500')
  const rows = [changeOf(live.postId, { seq: 6, amount: 22_000, bidCount: 3 })]
  const hear = (changes: typeof rows) =>
    act(() => laneLive['lane.rows'](cache, { rows: changes, gone: [], more: false, serverNow: inSeconds(0) }))
  hear(rows)
  await becomes(t, () => row('Running').textContent.includes('$22,000'), true)
  hear([changeOf(live.postId, { seq: 5, amount: 21_000, bidCount: 2 })])
  t.match(row('Running').textContent, '$22,000', 'older events are ignored')
  await rowSays(t, 'Coming', 'LIVE')
  t.ok(within(row('Coming')).getByRole('link', { name: 'Open in Lane' }))
  hear([changeOf(live.postId, { seq: 7, status: 'sold', amount: 22_000, bidCount: 3 })])
  await rowSays(t, 'Running', 'Auction ended')
  t.equal(within(row('Running')).queryByRole('link', { name: 'Open in Lane' }), null)
  t.same(asked, [])
})

t.test('fetches once an auction that changed before it was followed', async (t) => {
  const live = onAuction({ title: 'Running' }, inSeconds(-60))
  connect(t, { [live.postId]: 3 })
  let asked = 0
  const { network } = openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items: [live], total: 1 })))
  network.use(
    http.get('*/api/inventory/:id/auction', () => {
      asked += 1
      return HttpResponse.json(anAuction({ postId: live.postId, seq: 9, amount: 23_000, bidCount: 5, leader: 1 }))
    }),
    http.get('*/api/inventory/:id', () =>
      HttpResponse.json(
        aPostDetail({ id: live.postId, version: 3, vehicles: [aShownVehicle({ id: live.vehicleId })] }),
      ),
    ),
  )
  await says('1 vehicle')
  await becomes(t, () => row('Running').textContent.includes('$23,000'), true)
  t.equal(asked, 1)
})

t.test('moves the focus to the next chip when one is removed, and to the count after the last', async (t) => {
  openFind(t, '/find?year=2019-&price=-30000&photos=1')
  await says('83 vehicles')
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  await press('Remove Up to $30,000')
  await becomes(t, focused, 'Remove Has photos')
  await press('Remove Has photos')
  await becomes(t, focused, 'Remove 2019 or newer')
  await press('Remove 2019 or newer')
  await becomes(t, focused, '83 vehicles')
})

t.test('marks a distance from an unknown ZIP as not applied', async (t) => {
  const place = { code: '99999', known: false, city: '', region: '' }
  openFind(t, '/find?near=99999&within=300', () =>
    answer(FindAnswer, anAnswer({ place, items: [aFound({ miles: null })] })),
  )
  await says('83 vehicles')
  t.ok(screen.getByRole('button', { name: 'Remove Within 300 mi of 99999, not applied' }))
  t.ok(screen.getByText('Location'), 'and no column of distances')
})

t.test('marks distances as approximate', async (t) => {
  openFind(t)
  await says('83 vehicles')
  t.match(screen.getByRole('article').textContent, /about 46 mi/)
})

t.test('marks a fixed price only among auctions', async (t) => {
  openFind(t, '/find?sale=fixed')
  await says('83 vehicles')
  t.notMatch(screen.getByRole('article').textContent, /Fixed price/)
  fireEvent.click(box(/^Live auction/))
  await rowSays(t, titles()[0] ?? '', 'Fixed price')
})

t.test('saves a search among the filters on a phone and leaves the buy order below the list', async (t) => {
  openFind(t, '/find?mmt=Ford', () => answer(FindAnswer, anAnswer()), false)
  await says('83 vehicles')
  t.ok(within(screen.getByRole('group', { name: 'Applied filters' })).getByRole('button', { name: 'Save search' }))
  t.equal(screen.getAllByRole('link', { name: 'New buy order' }).length, 1)
})
