import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { Directory } from '#client/features/dealers/directory.tsx'
import { DealersPage, DiscoverPage, MyDealersPage } from '#client/pages/dealers.tsx'
import { DirectoryDealer, OwnNetwork } from '#shared/schemas/dealers.ts'
import { gone, says } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, refusal } from '#tests/support/network.ts'
import { aDealer } from '#tests/support/records.ts'

const filter = { view: 'all', name: '', state: 'all', dealershipType: 'all', buysCanadian: 'all' } as const
const dealers: DirectoryDealer[] = ['Priya Nair', 'Andre Hayes'].map((name) => ({
  ...aDealer({ name }),
  connected: false,
  degree: null,
  mutualConnections: 0,
  previousCanadian: null,
}))

t.test('shows an error at the end of the list and retries only on click', async (t) => {
  const network = fakeNetwork(t)
  const asked: (string | null)[] = []
  let isAway = true
  network.use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get('*/api/dealers', ({ request }) => {
      const cursor = new URL(request.url).searchParams.get('cursor')
      asked.push(cursor)
      const total = { 'x-total-count': String(dealers.length) }
      const page = (shown: DirectoryDealer[], more = {}) =>
        answer(Type.Array(DirectoryDealer), shown, { ...total, ...more })
      if (cursor === null) return page(dealers.slice(0, 1), { link: '</api/dealers?cursor=1>; rel="next"' })
      return isAway ? away() : page(dealers.slice(1))
    }),
  )
  const nothing = () => undefined
  const { cache } = show(t, <Directory filter={filter} onFilter={nothing} onMessage={nothing} />)
  await says('More dealers could not be loaded')
  t.equal(screen.getAllByRole('alert').length, 1)
  // Changes on the page must not trigger a request.
  for (const connected of [[dealers[0]!.id], []]) {
    cache.setQueryData(['/api/connections'], { connected, mutual: [] })
    await says(new RegExp(`${connected.length} connected`))
  }
  t.same(asked, [null, '1'])
  isAway = false
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await gone(t, 'More dealers could not be loaded')
  t.same(asked, [null, '1', '1'])
  await becomes(t, () => screen.queryByRole('alert'), null)
})

t.test('ignores invalid filters in the address of the directory', async (t) => {
  const asked: [string, string][] = []
  fakeNetwork(t).use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get('*/api/dealers/activity', () => refusal(503, 'Without figures')),
    http.get('*/api/dashboard', () => refusal(503, 'Without figures')),
    http.get('*/api/dealers', ({ request }) => {
      asked.push(...new URL(request.url).searchParams)
      return answer(Type.Array(DirectoryDealer), dealers, { 'x-total-count': '2' })
    }),
  )
  const wrong = 'state=Texas&dealershipType=used&buysCanadian=maybe'
  show(t, <DealersPage />, undefined, `/dealers?${wrong}&name=Nair`)
  await says(/^2 dealers/)
  t.same(asked, [
    ['name', 'Nair'],
    ['limit', '50'],
  ])
  t.match(screen.getByRole('combobox', { name: 'State or province' }).textContent, /All/)
})

function openEmpty(t: Test, page: ReactNode, path: string, connected: string[]) {
  fakeNetwork(t).use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected, mutual: [] })),
    http.get('*/api/dealers', () => answer(Type.Array(DirectoryDealer), [], { 'x-total-count': '0' })),
    http.get('*/api/dealers/activity', () => refusal(503, 'Without figures')),
    http.get('*/api/dashboard', () => refusal(503, 'Without figures')),
  )
  return show(t, page, undefined, path)
}

t.test('begins /my-dealers with a filter that can be removed and keeps the other filters', async (t) => {
  openEmpty(t, <MyDealersPage />, '/my-dealers?state=TX&name=Nair', [dealers[0]!.id])
  const active = await screen.findByRole('link', { name: 'Remove filter: Connected' })
  t.equal(active.getAttribute('href'), '/dealers?state=TX&name=Nair')
  t.equal(screen.getByRole('link', { name: 'Not connected' }).getAttribute('href'), '/discover?state=TX&name=Nair')
  await says('No dealers found')
  await says('Try adjusting your search filters')
})

t.test('tells a dealer without connections that there are none', async (t) => {
  openEmpty(t, <MyDealersPage />, '/my-dealers', [])
  await says('You have no connections yet')
  t.equal(screen.queryByText('No dealers found'), null)
})

t.test('says when a dealer is connected with everybody', async (t) => {
  openEmpty(t, <DiscoverPage />, '/discover', [dealers[0]!.id])
  await says('You are connected with every dealer')
})

t.test('shows no active filter at /dealers', async (t) => {
  openEmpty(t, <DealersPage />, '/dealers', [])
  await says('No dealers found')
  t.same(
    screen.getAllByRole('link').map((link) => link.getAttribute('href')),
    ['/my-dealers', '/discover'],
  )
})
