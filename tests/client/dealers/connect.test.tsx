import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Type from 'typebox'
import { ConnectionRequests } from '#client/features/deals/connection-requests.tsx'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { useInNetwork } from '#client/features/dealers/dealers.api.ts'
import { DealerDialog } from '#client/features/dealers/dealer-dialog.tsx'
import { ProfileView } from '#client/features/dealers/profile-view.tsx'
import { RecommendedSellers } from '#client/features/dealers/recommended-sellers.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConnectionRequest, OwnNetwork, RecommendedDealer } from '#shared/schemas/dealers.ts'
import { gone, press, says, showsItsStates } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, refuseFirst } from '#tests/support/network.ts'
import { aCurrentUser, aDealer } from '#tests/support/records.ts'

const [priya, andre] = [aDealer(), aDealer({ name: 'Andre Hayes' })]
const sellers = [priya, andre].map((dealer) => ({ dealer, mutualConnections: 0, why: 'Sells where you buy' }))

const me = aCurrentUser()
const Requests = Type.Array(ConnectionRequest)
const requestsPath = `*/api/connections/requests/${me.id}`

t.test('sends quick clicks in order and undoes only the refused one', async (t) => {
  const network = fakeNetwork(t)
  const asked: string[] = []
  let refuse = () => {}
  const waiting = new Promise<void>((resolve) => (refuse = resolve))
  network.use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get('*/api/dealers/recommended', () => answer(Type.Array(RecommendedDealer), sellers)),
    http.post(`*/api/dealers/${priya.id}/connect`, async () => {
      asked.push('connect Priya')
      await waiting
      return away()
    }),
    http.post(`*/api/dealers/${andre.id}/connect`, () => {
      asked.push('connect Andre')
      return HttpResponse.json({})
    }),
    http.delete(`*/api/dealers/${andre.id}/connect`, () => {
      asked.push('disconnect Andre')
      return HttpResponse.json({})
    }),
  )
  const { findByRole, findByText } = show(t, <RecommendedSellers />)
  const enabled = async (name: string) => {
    const button = await findByRole('button', { name })
    await becomes(t, () => button.hasAttribute('disabled'), false)
    return button
  }
  fireEvent.click(await enabled('Connect with Priya Nair'))
  await findByRole('button', { name: 'Disconnect from Priya Nair' })
  for (const name of ['Connect with Andre Hayes', 'Disconnect from Andre Hayes', 'Connect with Andre Hayes'])
    fireEvent.click(await findByRole('button', { name }))
  await findByRole('button', { name: 'Disconnect from Andre Hayes' })
  await becomes(t, () => asked, ['connect Priya'])
  refuse()
  await findByText('The database is away')
  t.ok(await findByRole('button', { name: 'Connect with Priya Nair' }))
  await becomes(t, () => asked, ['connect Priya', 'connect Andre', 'disconnect Andre', 'connect Andre'])
  t.ok(await findByRole('button', { name: 'Disconnect from Andre Hayes' }))
})

t.test('reports the result of connecting even before the network has loaded', async (t) => {
  const network = fakeNetwork(t)
  const connected: string[] = [andre.id]
  network.use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected, mutual: [] })),
    http.get('*/api/dealers/recommended', () => answer(Type.Array(RecommendedDealer), sellers)),
    http.post(`*/api/dealers/${priya.id}/connect`, () => {
      connected.push(priya.id)
      return HttpResponse.json({})
    }),
  )
  refuseFirst(network, '*/api/connections')
  function Directory() {
    const { on, toggle } = useInNetwork(priya)
    return <Button onClick={toggle}>{on ? 'In my network' : 'Into my network'}</Button>
  }
  const { findByRole } = show(
    t,
    <>
      <Directory />
      <RecommendedSellers />
    </>,
  )
  await findByRole('button', { name: 'Connect with Andre Hayes' })
  await press('Into my network')
  await findByRole('button', { name: 'In my network' })
  const button = await findByRole('button', { name: 'Disconnect from Andre Hayes' })
  t.equal(button.hasAttribute('disabled'), false)
})

t.test('shows a request that arrives while another one is being answered', async (t) => {
  const [first, second] = [priya, andre].map((requester, index) => ({
    id: randomUUID(),
    createdAt: `2026-11-20T1${1 - index}:00:00.000Z`,
    requester,
  }))
  let asked = 0
  fakeNetwork(t).use(
    http.get(requestsPath, () => {
      asked += 1
      if (asked === 2) return new Promise<never>(() => undefined)
      return answer(Requests, asked === 1 ? [first!] : [second!])
    }),
    http.post('*/api/connections/requests/:id/:answer', () => HttpResponse.json({})),
  )
  const { cache } = show(t, <ConnectionRequests />, me)
  await says('Priya Nair')
  dealsInbox.request(cache)
  await becomes(t, () => asked, 2)
  await press('Decline Priya Nair')
  await says('Andre Hayes')
  await gone(t, 'Priya Nair')
})

t.test('restores the state after connecting and disconnecting are refused', async (t) => {
  let refuse = () => {}
  const waiting = new Promise<void>((resolve) => (refuse = resolve))
  fakeNetwork(t).use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get('*/api/dealers/recommended', () => answer(Type.Array(RecommendedDealer), sellers)),
    http.all(`*/api/dealers/${priya.id}/connect`, async () => {
      await waiting
      return away()
    }),
  )
  const { cache, findByRole } = show(t, <RecommendedSellers />)
  const connect = await findByRole('button', { name: 'Connect with Priya Nair' })
  await becomes(t, () => connect.hasAttribute('disabled'), false)
  fireEvent.click(connect)
  fireEvent.click(await findByRole('button', { name: 'Disconnect from Priya Nair' }))
  await findByRole('button', { name: 'Connect with Priya Nair' })
  refuse()
  const states = () =>
    cache
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.status)
  await becomes(t, states, ['error', 'error'])
  t.ok(await findByRole('button', { name: 'Connect with Priya Nair' }))
})

t.test("links from a dealer's popup to the full profile", async (t) => {
  fakeNetwork(t).use(http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })))
  const { findByRole } = show(t, <DealerDialog dealer={priya} onClose={() => undefined} />)
  const link = await findByRole('link', { name: 'View full profile' })
  t.equal(link.getAttribute('href'), `/dealers/${priya.id}`)
})

t.test('links from a recommended seller to their page', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get('*/api/dealers/recommended', () => answer(Type.Array(RecommendedDealer), sellers)),
  )
  const { findByRole } = show(t, <RecommendedSellers />)
  const link = await findByRole('link', { name: /Andre Hayes/ })
  t.equal(link.getAttribute('href'), `/dealers/${andre.id}`)
})

t.test('shows loading, error, retry and empty states of connection requests', async (t) => {
  const network = fakeNetwork(t)
  network.use(http.get(requestsPath, () => answer(Requests, [])))
  const refuse = refuseFirst(network, requestsPath)
  show(t, <ConnectionRequests />, me)
  const failure = 'Requests could not be loaded'
  await showsItsStates(t, { loading: 'Loading connection requests', failure, empty: 'No connection requests', refuse })
})

t.test('removes an answered request at once and restores it after a refusal', async (t) => {
  const asking = [priya, andre].map((requester, index) => ({
    id: randomUUID(),
    createdAt: `2026-11-20T1${1 - index}:00:00.000Z`,
    requester,
  }))
  const heard: string[] = []
  fakeNetwork(t).use(
    http.get(requestsPath, () => answer(Requests, asking)),
    http.post('*/api/connections/requests/:id/:answer', ({ params }) => {
      heard.push(`${asking.find(({ id }) => id === params['id'])?.requester.name} ${String(params['answer'])}`)
      return heard.length === 1 ? away() : HttpResponse.json({})
    }),
  )
  const { getAllByRole } = show(t, <ConnectionRequests />, me)
  await press('Accept Priya Nair')
  await says('Request not answered')
  await says('The database is away')
  await becomes(
    t,
    () => getAllByRole('button', { name: /^Accept/ }).map((button) => button.getAttribute('aria-label')),
    ['Accept Priya Nair', 'Accept Andre Hayes'],
  )
  await press('Accept Priya Nair')
  await says('Connected!')
  await gone(t, 'Priya Nair')
  await press('Decline Andre Hayes')
  await says('No connection requests')
  t.same(heard, ['Priya Nair accept', 'Priya Nair accept', 'Andre Hayes decline'])
})

t.test('distinguishes an unknown dealer from one that failed to load, which can be retried', async (t) => {
  for (const status of [400, 404, 503])
    await t.test(String(status), async (t) => {
      fakeNetwork(t).use(http.get('*/api/dealers/x', () => refusal(status, 'Id is not a valid uuid')))
      const nothing = () => null
      const { findByText, queryByText, queryByRole } = show(
        t,
        <ProfileView
          dealerId="x"
          own={false}
          renderActions={nothing}
          renderActivity={nothing}
          renderReviews={nothing}
        />,
      )
      await findByText(status === 503 ? 'This profile could not be loaded' : 'Dealer not found')
      t.equal(queryByRole('button', { name: 'Retry' }) !== null, status === 503)
      t.equal(queryByText(/uuid/) !== null, status === 503)
    })
})
