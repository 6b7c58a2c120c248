import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { findKeys, parseFind } from '#shared/find-query.ts'
import { FindAnswer, FindSince } from '#shared/schemas/find.ts'
import { WatchedIds } from '#shared/schemas/saved.ts'
import { choose, dialogOpen, fill, gone, press, refusalOf, says } from '#tests/support/controls.ts'
import { anAnswer, box, head, openFind, titles } from '#tests/support/find-page.tsx'
import { answer, http, HttpResponse, refusal } from '#tests/support/network.ts'
import { aFound, anAuction, aPostDetail, aShownVehicle } from '#tests/support/records.ts'

const chips = () =>
  within(screen.getByRole('group', { name: 'Applied filters' }))
    .getAllByRole('button')
    .map((chip) => chip.getAttribute('aria-label'))
    .filter((label) => label !== null)

const address =
  '/find?mmt=Ford~F-150~XLT,Toyota&year=2019-2021&price=-30000&miles=-40000&near=74112&within=300&body=pickup&drive=4wd&fuel=gas&sale=fixed,live,coming&seller=connected&rating=4.5&posted=7&photos=1&sort=nearest'

t.test('shows, requests and removes every filter in the address', async (t) => {
  const place = { code: '74112', known: true, city: 'Tulsa', region: 'OK' }
  const { asked, history } = openFind(t, address, () => answer(FindAnswer, anAnswer({ place })))
  await says('83 vehicles')
  t.equal(asked[0], `${address.slice('/find?'.length)}&facets=1`)
  t.same(chips(), [
    'Remove Within 300 mi of 74112',
    'Remove Ford F-150 XLT',
    'Remove Toyota',
    'Remove 2019 to 2021',
    'Remove Up to $30,000',
    'Remove Under 40,000 mi',
    'Remove Pickup',
    'Remove 4WD',
    'Remove Gas',
    'Remove Fixed price',
    'Remove Live auction',
    'Remove Upcoming auction',
    'Remove My connections',
    'Remove Rated 4.5 or better',
    'Remove Last 7 days',
    'Remove Has photos',
  ])
  t.equal(box(/^Ford/).getAttribute('aria-checked'), 'mixed')
  t.equal(box(/^F-150/).getAttribute('aria-checked'), 'mixed')
  t.equal(box('XLT 83').getAttribute('aria-checked'), 'true')
  t.equal(box('Not stated 12').getAttribute('aria-checked'), 'false')
  await says('Tulsa, OK')
  t.ok(screen.getByRole('img', { name: 'Price: most between $24,000 and $30,000' }))
  t.ok(screen.getByText('46 mi', { exact: false }))
  await press('Remove Within 300 mi of 74112')
  t.equal(
    history.at(-1),
    '/find?' + address.slice(6).replace('&near=74112&within=300', '').replace('&sort=nearest', ''),
  )
  for (let left = chips().length; left > 0; left -= 1) await press(chips()[0] ?? '')
  t.equal(history.at(-1), '/find', 'the address has no filter without a chip')
})

t.test('adds one history entry per filter, and one for typing in one field', async (t) => {
  const { history, asked } = openFind(t)
  await says('83 vehicles')
  fireEvent.click(box(/^Ford/))
  t.equal(history.at(-1), '/find?mmt=Ford')
  await becomes(t, () => asked.length, 2)
  for (const [value, price] of [
    ['3', '-3'],
    ['30k', '-30000'],
  ] as const) {
    fill('Max price', value)
    await becomes(t, () => history.at(-1), `/find?mmt=Ford&price=${price}`)
  }
  fill('From year', '20')
  fill('From year', '2019')
  await becomes(t, () => history.at(-1), '/find?mmt=Ford&year=2019-&price=-30000')
  t.same(history, ['/find', '/find?mmt=Ford', '/find?mmt=Ford&price=-30000', '/find?mmt=Ford&year=2019-&price=-30000'])
  await choose('Sort', 'Price low to high')
  await press('Remove 2019 or newer')
  fireEvent.click(screen.getByRole('radio', { name: 'Cards' }))
  t.equal(history.at(-1), '/find?mmt=Ford&price=-30000&sort=cheapest&as=cards')
  await becomes(t, () => asked.at(-1), 'mmt=Ford&price=-30000&sort=cheapest&facets=1')
})

t.test('shows loading and errors above the earlier results', async (t) => {
  let failing = true
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const { history } = openFind(t, '/find', async (params) => {
    await begun
    if (failing) return refusal(503, 'The index is still being read')
    return answer(FindAnswer, anAnswer({ items: [aFound({ title: params.get('mmt') ?? 'All' })] }))
  })
  await says('Searching vehicles')
  begin()
  const alert = await screen.findByRole('alert')
  t.match(alert.textContent, 'Find is not available right now')
  t.match(alert.textContent, 'The index is still being read')
  t.same(titles(), [])
  failing = false
  await press('Retry')
  await becomes(t, titles, ['All'])
  t.equal(screen.queryByRole('alert'), null)
  failing = true
  fireEvent.click(box(/^Ford/))
  await screen.findByRole('alert')
  t.same(titles(), ['All'], 'earlier results stay')
  t.equal(history.at(-1), '/find?mmt=Ford')
  failing = false
  await press('Retry')
  await becomes(t, titles, ['Ford'])
})

t.test('suggests alternatives with counts if nothing is found', async (t) => {
  const none: Partial<FindAnswer> = {
    total: 0,
    items: [],
    relax: [
      { key: 'miles', value: null, total: 12 },
      { key: 'price', value: '-31500', total: 7 },
      { key: 'within', value: '500', total: 5 },
    ],
  }
  const { history } = openFind(t, '/find?price=-30000&miles=-40000&near=74112&within=300', (params) =>
    answer(FindAnswer, anAnswer(params.has('miles') ? none : {})),
  )
  await says('No matching vehicles')
  const ways = within(screen.getByRole('list', { name: 'Suggested changes' })).getAllByRole('listitem')
  t.same(
    ways.map(({ textContent }) => textContent),
    ['12 if you remove “Under 40,000 mi”Remove', '7 up to $31,500Change', '5 within 500 milesChange'],
  )
  await press('Remove: 12 if you remove “Under 40,000 mi”')
  t.equal(history.at(-1), '/find?price=-30000&near=74112&within=300')
  await says('83 vehicles')
})

t.test('saves a search without its order, recognizes it, and passes it to a new buy order', async (t) => {
  const { saved } = openFind(t, '/find?mmt=Ford&sort=cheapest&as=cards')
  await says('83 vehicles')
  const orders = screen.getAllByRole('link', { name: 'New buy order' }).map((link) => link.getAttribute('href'))
  t.equal(orders.length, 2, 'above the list and below it')
  t.same(new Set(orders), new Set(['/wanted?order=new&mmt=Ford&sort=cheapest&as=cards']))
  await press('Save search')
  await says(`We'll notify you of new vehicles for "Ford"`)
  t.same(
    saved.map(({ query }) => query),
    ['mmt=Ford'],
  )
  t.equal((await screen.findByRole('button', { name: 'Search saved' })).getAttribute('aria-pressed'), 'true')
  await press('Remove Ford')
  t.equal(
    screen.queryByRole('button', { name: /^(Save search|Search saved)$/ }),
    null,
    'without a filter there is nothing to save',
  )
})

t.test('marks an unknown ZIP at its field and drops the distance', async (t) => {
  const place = { code: '00000', known: false, city: '', region: '' }
  const { history } = openFind(t, '/find', (params) =>
    answer(FindAnswer, anAnswer({ place: params.has('near') ? place : null })),
  )
  await says('83 vehicles')
  fill('ZIP or postal code', '0000')
  fill('ZIP or postal code', '00000')
  await becomes(t, () => history.at(-1), '/find?near=00000')
  await says("We don't recognize this ZIP or postal code")
  t.equal(refusalOf('ZIP or postal code'), "We don't recognize this ZIP or postal code")
  t.ok(screen.getByRole('combobox', { name: 'Distance' }).hasAttribute('disabled'))
  t.same(history, ['/find', '/find?near=00000'], 'an incomplete ZIP is not searched')
})

t.test("measures from the dealer's own location without a place", async (t) => {
  const home = { code: '74112', city: 'Tulsa', region: 'OK' }
  const { history } = openFind(t, '/find?photos=1', () => answer(FindAnswer, anAnswer({ home })))
  await says('83 vehicles')
  await says(/^Tulsa, OK *your dealership$/)
  t.equal(screen.getByRole<HTMLInputElement>('textbox', { name: 'ZIP or postal code' }).value, '')
  await choose('Distance', '300 miles')
  t.equal(history.at(-1), '/find?near=74112&within=300&photos=1')
})

t.test('asks for a ZIP before a distance if the dealership has no location', async (t) => {
  openFind(t)
  await says('83 vehicles')
  t.ok(screen.getByRole('combobox', { name: 'Distance' }).hasAttribute('disabled'))
})

t.test('holds new vehicles until requested and keeps sold ones in place', async (t) => {
  const [one, other] = [aFound({ title: 'One' }), aFound({ title: 'Other' })]
  let shown = { items: [one, other], head }
  const { cache, sinces, network } = openFind(t, '/find', () => answer(FindAnswer, anAnswer(shown)))
  await becomes(t, titles, ['One', 'Other'])
  shown = { items: [aFound({ title: 'New' }), other], head: '2026-11-20T12:00:00.000Z' }
  act(() => postsLive['feed.head'](cache, { newestId: randomUUID(), newPosts: 1, jitterMs: 0 }))
  const pill = await screen.findByRole('button', { name: '2 new vehicles' })
  t.same(sinces, [head])
  t.same(titles(), ['One', 'Other'], 'nothing moves')
  const state = { viewCount: 0, commentCount: 0, likeCount: 0, infoCount: 0, bidCount: 0 }
  const sold = { ...state, postId: one.postId, version: 2, status: 'sold' as const, vehicleCount: 1, availableCount: 0 }
  act(() => postsLive['post.changed'](cache, sold))
  await says('Sold')
  // If a post has several vehicles, its event does not show which vehicle changed.
  const vehicles = [aShownVehicle({ id: other.vehicleId, status: 'pending' }), aShownVehicle()]
  network.use(
    http.get('*/api/inventory/:id', () => HttpResponse.json(aPostDetail({ id: other.postId, version: 2, vehicles }))),
  )
  const change = { ...sold, postId: other.postId, status: 'active' as const, vehicleCount: 2, availableCount: 1 }
  act(() => postsLive['post.changed'](cache, change))
  await says('Pending')
  t.same(titles(), ['One', 'Other'])
  fireEvent.click(pill)
  await becomes(t, titles, ['New', 'Other'])
  await gone(t, /new vehicles/)
})

t.test('links only vehicles of running auctions to their Lane pane', async (t) => {
  const { seq, startsAt, endsAt, bidCount } = anAuction()
  const live = aFound({ title: 'Live', sale: 'live', auction: { seq, startsAt, endsAt, bidCount } })
  openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items: [live, aFound({ title: 'Fixed' })] })))
  await becomes(t, titles, ['Live', 'Fixed'])
  const links = await screen.findAllByRole('link', { name: 'Open in Lane' })
  t.same(
    links.map((link) => link.getAttribute('href')),
    [`/lane?post=${live.postId}`],
  )
  links[0]?.focus()
  const j = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' })
  j()
  t.equal(document.activeElement?.textContent, 'Fixed', 'j continues with the next vehicle from there')
})

t.test('announces the count after each change, even if it is the same', async (t) => {
  openFind(t)
  const said = () => screen.getAllByRole('status').find(({ className }) => className === 'sr-only')?.textContent
  await becomes(t, said, '83 vehicles')
  fireEvent.click(box(/^Ford/))
  await becomes(t, said, '')
  await becomes(t, said, '83 vehicles')
})

t.test('reports the first vehicle for an empty search and shows it on click', async (t) => {
  let shown: Partial<FindAnswer> = { total: 0, items: [], relax: [] }
  const { cache, network } = openFind(t, '/find?mmt=Ford', () => answer(FindAnswer, anAnswer(shown)))
  await says('No matching vehicles')
  network.use(http.get('*/api/find/since', () => answer(FindSince, { count: 1, head: 'later' })))
  act(() => postsLive['feed.head'](cache, { newestId: null, newPosts: 0, jitterMs: 0 }))
  const pill = await screen.findByRole('button', { name: '1 new vehicle' })
  shown = { total: 1, items: [aFound({ title: 'New' })], head: 'later' }
  fireEvent.click(pill)
  await becomes(t, titles, ['New'])
  await gone(t, /new vehicle/)
})

t.test('opens the post at the clicked vehicle and supports the keys j, k and slash', async (t) => {
  const items = [
    aFound({ title: 'One' }),
    aFound({ title: 'Other', yours: true, miles: null, mileage: null, price: null }),
  ]
  openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items, total: 2 })))
  await says('2 vehicles')
  const links = items.map(({ title }) => screen.getByRole('link', { name: title }))
  t.equal(links[0]?.getAttribute('href'), `/post/${items[0]?.postId}?vehicle=${items[0]?.vehicleId}`)
  const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
  const focused = () => document.activeElement
  for (const [name, wanted] of [
    ['j', 0],
    ['j', 1],
    ['j', 1],
    ['k', 0],
  ] as const) {
    key(name)
    t.equal(focused(), links[wanted], name)
  }
  key('/')
  t.equal(focused(), screen.getByRole('combobox', { name: "Describe what you're looking for" }))
  key('j')
  t.not(focused(), links[0], 'in a field it types a letter')
})

t.test('toggles watching with w and opens the filters with f', async (t) => {
  const item = aFound({ title: 'One' })
  const { network, unmount } = openFind(t, '/find', () => answer(FindAnswer, anAnswer({ items: [item], total: 1 })))
  const acts: string[] = []
  const note = ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
    acts.push(`${request.method} ${String(params['id'])}`)
    return new HttpResponse(null, { status: 204 })
  }
  network.use(
    http.get('*/api/watchlist/ids', () => answer(WatchedIds, acts.at(-1)?.startsWith('PUT') ? [item.postId] : [])),
    http.put('*/api/inventory/:id/watch', note),
    http.delete('*/api/inventory/:id/watch', note),
  )
  await says('1 vehicle')
  const key = (name: string, about = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...about })
  key('w')
  t.same(acts, [], 'no vehicle has the focus')
  key('j')
  key('w', { ctrlKey: true })
  key('w', { shiftKey: true })
  key('w')
  await says('Added to your watchlist')
  await becomes(t, () => acts, [`PUT ${item.postId}`])
  key('W')
  await says('Removed from your watchlist')
  await becomes(t, () => acts.at(-1), `DELETE ${item.postId}`)
  key('F')
  t.equal(document.activeElement, screen.getByRole('textbox', { name: 'ZIP or postal code' }))
  unmount()
  openFind(t, '/find', undefined, false)
  await says('83 vehicles')
  key('f')
  await screen.findByRole('dialog', { name: 'Filters' })
})

t.test('turns words into filters and sends others to the feed', async (t) => {
  const { history } = openFind(t, '/find?photos=1')
  await says('83 vehicles')
  const field = screen.getByRole('combobox', { name: "Describe what you're looking for" })
  const type = (value: string) => {
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value } })
  }
  const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
  type('2019-2021 f150 under 40k dallas')
  t.same(options(), [
    'Find: Ford F-150, 2019 to 2021, under 40,000 mi, near Dallas, TX',
    'Add to these filters: Ford F-150, 2019 to 2021, under 40,000 mi, near Dallas, TX',
    'Search the feed for “2019-2021 f150 under 40k dallas”',
  ])
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'Enter' })
  t.equal(history.at(-1), '/find?mmt=Ford~F-150&year=2019-2021&miles=-40000&near=75201&photos=1')
  type('clean title camry')
  t.match(options()[0], 'Find: Toyota CamryIgnored “clean title”')
  fireEvent.keyDown(field, { key: 'Enter' })
  t.equal(history.at(-1), '/find?mmt=Toyota~Camry')
  type('one owner')
  t.same(options(), ['Search the feed for “one owner”'])
  fireEvent.keyDown(field, { key: 'Enter' })
  t.equal(history.at(-1), '/?search=one+owner')
})

t.test('searches around the dealership when the dealer types near me', async (t) => {
  const typeInto = (value: string) => {
    const field = screen.getByRole('combobox', { name: "Describe what you're looking for" })
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value } })
    return field
  }
  const first = () => screen.getAllByRole('option')[0]?.textContent
  const home = { code: '74112', city: 'Tulsa', region: 'OK' }
  const { history, unmount } = openFind(t, '/find', () => answer(FindAnswer, anAnswer({ home })))
  await says('83 vehicles')
  const field = typeInto('trucks near me')
  t.equal(first(), 'Find: pickup, within 100 mi of Tulsa, OK')
  fireEvent.keyDown(field, { key: 'Enter' })
  t.equal(history.at(-1), '/find?near=74112&within=100&body=pickup')
  t.same(chips(), ['Remove Within 100 mi of 74112', 'Remove Pickup'])
  t.equal(screen.getByRole('textbox', { name: 'ZIP or postal code' }).getAttribute('value'), '74112')
  unmount()
  openFind(t, '/find')
  await says('83 vehicles')
  typeInto('trucks near me')
  t.equal(first(), 'Find: pickupIgnored “near me”. Your profile has no ZIP or postal code that we recognize')
})

t.test('shows filters on a separate screen with the result count on phones', async (t) => {
  const { history } = openFind(t, '/find?photos=1&price=-30000', undefined, false)
  await says('83 vehicles')
  t.equal(screen.queryByRole('checkbox'), null)
  await press('Filters 2')
  const sheet = await screen.findByRole('dialog', { name: 'Filters' })
  fireEvent.click(within(sheet).getByRole('checkbox', { name: /^My connections/ }))
  t.equal(history.at(-1), '/find?price=-30000&seller=connected&photos=1')
  await press('Show 83 vehicles')
  await becomes(t, dialogOpen, false)
})

t.test('shows ten makes plus chosen and typed ones of a long list', async (t) => {
  openFind(t, '/find?mmt=Make+20,Maker~One~Two')
  await says('83 vehicles')
  const makes = () => screen.getAllByRole('checkbox', { name: /^(Make|Ford)/ }).map(({ textContent }) => textContent)
  t.same(makes().slice(10), ['Make 20 5', 'Maker 0'], 'also a selected value without vehicles')
  t.equal(box('Two 0').getAttribute('aria-checked'), 'true')
  fill('Find a make', 'make 2')
  t.same(makes(), ['Make 2 23', 'Make 20 5', 'Make 21 4', 'Make 22 3', 'Make 23 2', 'Make 24 1'])
  fill('Find a make', '')
  await press('14 more makes')
  t.equal(makes().length, 26)
})

t.test('covers every part of the address', async (t) => {
  const { search } = new URL(address, 'http://localhost')
  t.same([...new URLSearchParams(search).keys()], findKeys.slice(0, -1))
  t.equal(parseFind(search).sort, 'nearest')
})
