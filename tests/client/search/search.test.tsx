import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { Shortcuts } from '#client/app/shortcuts.tsx'
import { DirectoryFilters } from '#client/features/dealers/directory-filters.tsx'
import { SearchPalette } from '#client/features/search/search-palette.tsx'
import { sectionsOf } from '#client/features/search/search-sections.ts'
import { keys } from '#client/lib/keys/shortcuts.ts'
import { SearchPalette as AppPalette } from '#client/pages/search-palette.tsx'
import { FindWords } from '#shared/schemas/find.ts'
import { Found } from '#shared/schemas/search.ts'
import { answer, away, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, aDealer } from '#tests/support/records.ts'

const nothing: Found = { dealers: [], posts: [], postTotal: 0, deals: [], chats: [] }
const me = aCurrentUser()
const { name, avatar, dealershipName, city, state, id } = aDealer({ name: 'Hector Herrera', dealershipName: 'Herrera' })
const found: Found = {
  ...nothing,
  dealers: [{ id, name, avatar, dealershipName, city, state }],
  posts: [
    {
      id: randomUUID(),
      title: 'Herrera’s van',
      status: 'active',
      dealershipName,
      vehicleCount: 1,
      price: 9_500,
      photo: null,
    },
  ],
  postTotal: 1,
  chats: [{ id: randomUUID(), other: { id, name, avatar, dealershipName }, unreadCount: 2 }],
}
const pages = ['Feed', 'Deals', 'Help'].map((label) => ({
  kind: 'page' as const,
  href: `/${label.toLowerCase()}`,
  label,
  detail: '',
}))

const box = () => screen.getByRole<HTMLInputElement>('combobox')
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
const chosen = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent
const type = (value: string) => fireEvent.change(box(), { target: { value } })
const press = (key: string, more = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })

function open(t: Test, answers: Record<string, () => Response | Promise<Response>> = {}) {
  t.teardown(() => localStorage.clear())
  const asked: string[] = []
  const chats: string[] = []
  fakeNetwork(t).use(
    http.get('*/api/search', async ({ request }) => {
      const words = new URL(request.url).searchParams.get('q') ?? ''
      asked.push(words)
      return answers[words]?.() ?? answer(Found, words === 'herrera' ? found : nothing)
    }),
  )
  let isOpen = true
  const palette = (
    <SearchPalette
      initial=""
      pages={pages}
      onOpenChat={(href) => chats.push(href)}
      onShowKeys={() => undefined}
      onClose={() => void (isOpen = false)}
    />
  )
  return { asked, chats, palette, isOpen: () => isOpen, ...show(t, palette, me) }
}

t.test('selects with arrows, opens with Enter, and remembers recent results', async (t) => {
  const { history, asked, isOpen, unmount, palette } = open(t)
  t.same(options(), ['Feed', 'Deals', 'Help'])
  for (const value of ['h', 'he', 'herrera']) type(value)
  await becomes(t, options, [
    'Search the feed for “herrera”1 post',
    'HHHector HerreraHerrera · Milwaukee, WI',
    'Herrera’s vanHerrera$9,500',
    'HHHector HerreraChat · Herrera2 unread',
  ])
  t.same(asked, ['herrera'], 'not on every keystroke')
  t.match(chosen(), 'Search the feed', 'recent results show at once')
  press('ArrowDown')
  press('ArrowDown')
  t.match(chosen(), 'Herrera’s van')
  t.equal(screen.getAllByRole('option', { selected: true }).length, 1)
  press('ArrowUp')
  press('ArrowUp')
  press('ArrowUp')
  t.match(chosen(), 'Chat · Herrera', 'from the last to the first')
  press('ArrowUp')
  press('Enter')
  t.equal(history.at(-1), `/post/${found.posts[0]?.id}`)
  t.notOk(isOpen())
  unmount()
  show(t, palette, me)
  t.same(options(), ['Herrera’s vanHerrera', 'Feed', 'Deals', 'Help'])
  fireEvent.click(screen.getByRole('button', { name: 'Clear recent' }))
  t.same(options(), ['Feed', 'Deals', 'Help'])
})

t.test('sends text to the feed, a page to itself, and a chat to the chats', async (t) => {
  const { history, chats } = open(t)
  type('van')
  press('Enter')
  t.equal(history.at(-1), '/?search=van')
  type('dea')
  press('Enter')
  t.equal(history.at(-1), '/deals')
  type('herrera')
  fireEvent.click(await screen.findByText('Chat · Herrera'))
  t.same(chats, [`/messages?chat=${found.chats[0]?.id}`])
  t.equal(history.at(-1), '/deals', 'then it is not a page')
})

t.test('lists recognized filters before the feed if unambiguous, otherwise after it', async (t) => {
  for (const [isOnlyVehicles, wanted] of [
    [true, ['Find: Ford', 'Search the feed for “ford”']],
    [false, ['Search the feed for “ford”', 'Find: Ford']],
  ] as const) {
    const vehicles = {
      kind: 'vehicles',
      href: '/find?mmt=Ford',
      label: 'Find: Ford',
      detail: '',
      isOnlyVehicles,
    } as const
    t.same(
      sectionsOf({ typed: 'ford', found: undefined, pages, vehicles, recent: [], ownId: me.id }).flatMap(
        ({ options }) => options.map(({ label }) => label),
      ),
      wanted,
    )
  }
})

t.test('opens Find for a phrase of filters', async (t) => {
  fakeNetwork(t).use(http.get('*/api/search', () => answer(Found, nothing)))
  const { history } = show(t, <AppPalette initial="" onShowKeys={() => undefined} onClose={() => undefined} />, me)
  type('2019-2021 f150 under 40k dallas')
  await becomes(t, chosen, 'Find: Ford F-150, 2019 to 2021, under 40,000 mi, near Dallas, TX')
  press('Enter')
  t.equal(history.at(-1), '/find?mmt=Ford~F-150&year=2019-2021&miles=-40000&near=75201')
  type('under 40k miles')
  await becomes(t, chosen, 'Find: under 40,000 mi')
})

t.test("fetches the dealer's own location for near me", async (t) => {
  const home = { code: '74112', city: 'Tulsa', region: 'OK' }
  const asked: (string | null)[] = []
  fakeNetwork(t).use(
    http.get('*/api/search', () => answer(Found, nothing)),
    http.get('*/api/find/words', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('text'))
      return answer(FindWords, { vehicles: [], places: [], home })
    }),
  )
  const { history } = show(t, <AppPalette initial="" onShowKeys={() => undefined} onClose={() => undefined} />, me)
  type('f150 under 40k near me')
  await becomes(t, chosen, 'Find: Ford F-150, under 40,000 mi, within 100 mi of Tulsa, OK')
  t.same(asked, ['near me'])
  press('Enter')
  t.equal(history.at(-1), '/find?mmt=Ford~F-150&miles=-40000&near=74112&within=100')
})

t.test('shows searching, empty and error states', async (t) => {
  let failing = true
  let find = () => {}
  const finding = new Promise<void>((resolve) => (find = resolve))
  open(t, {
    zzz: () => finding.then(() => answer(Found, nothing)),
    fails: () => (failing ? away() : answer(Found, found)),
  })
  type('zzz')
  t.equal(screen.getByRole('status').textContent, 'Searching')
  find()
  t.ok(await screen.findByText('No dealers, posts, chats or deals for “zzz”'))
  t.equal(screen.getByRole('status').textContent, 'No results')
  type('fails')
  t.ok(await screen.findByText('The search failed'))
  t.same(options(), ['Search the feed for “fails”'])
  failing = false
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  t.ok(await screen.findByText('Herrera’s van'))
})

t.test('opens search with slash or Control+K and lists keys with a question mark', async (t) => {
  show(
    t,
    <>
      <input aria-label="A field" />
      <div role="dialog" data-beside>
        <button type="button">Bid</button>
      </div>
      <Shortcuts />
    </>,
  )
  screen.getByLabelText('A field').focus()
  for (const key of ['/', '?']) press(key)
  t.equal(screen.queryByRole('combobox'), null)
  screen.getByText('Bid').focus()
  press('?', { shiftKey: true })
  t.ok(await screen.findByRole('heading', { name: 'Keys' }))
  const shown = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  t.equal(shown.length, Object.keys(keys).length)
  t.same(shown.slice(0, 3), ['/ or CtrlK', '?', 'Esc'])
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  const ways = [
    { from: screen.getByText('Bid'), key: '/' },
    { from: screen.getByText('Bid'), key: 'K', metaKey: true },
    { from: screen.getByLabelText('A field'), key: 'k', ctrlKey: true },
  ]
  for (const { from, key, ...held } of ways) {
    from.focus()
    press(key, held)
    press('s')
    press('e')
    await becomes(t, () => screen.queryByRole<HTMLInputElement>('combobox')?.value !== undefined, true)
    press('Escape')
    await becomes(t, () => screen.queryByRole('combobox'), null)
  }
})

t.test('trims a trailing space for the query but keeps it in the field', async (t) => {
  const asked: string[] = []
  const none = { view: 'all', state: 'all', dealershipType: 'all', buysCanadian: 'all' } as const
  function Filters() {
    const [name, setName] = useState('')
    const look = (change: { name?: string }) => {
      asked.push(change.name ?? '')
      setName(change.name ?? '')
    }
    return (
      <>
        <DirectoryFilters
          filter={{ ...none, name }}
          onFilter={look}
          previousCanadian="all"
          onPreviousCanadian={() => undefined}
        />
        <p>looked for: {name}</p>
        <button type="button" onClick={() => setName('Webb')}>
          Another address
        </button>
      </>
    )
  }
  show(t, <Filters />)
  const field = screen.getByLabelText<HTMLInputElement>('Search by name or dealership')
  fireEvent.change(field, { target: { value: 'Dana ' } })
  await screen.findByText('looked for: Dana')
  await act(async () => undefined)
  t.equal(field.value, 'Dana ')
  fireEvent.change(field, { target: { value: `${field.value}Torres` } })
  await screen.findByText('looked for: Dana Torres')
  t.same(asked, ['Dana', 'Dana Torres'])
  fireEvent.click(screen.getByRole('button', { name: 'Another address' }))
  await becomes(t, () => field.value, 'Webb')
  t.equal(asked.length, 2, 'a search from the address is not sent again')
})
