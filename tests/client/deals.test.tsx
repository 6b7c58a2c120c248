import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { DealPanel } from '#client/features/deals/deal-panel.tsx'
import { DealView } from '#client/features/deals/deal-view.tsx'
import { DealsList } from '#client/features/deals/deals-list.tsx'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { OfferButton } from '#client/features/deals/offer-dialog.tsx'
import { RecentTransactions } from '#client/features/deals/recent-transactions.tsx'
import { ConnectionRequest } from '#shared/schemas/dealers.ts'
import { CounterOffer, Deal, DealDetail, NewOffer, NewSignature, Offer } from '#shared/schemas/deals.ts'
import { dialogOpen, fill, gone, press, refusalOf, says, showsItsStates, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, refusal, refuseFirst, sent } from '#tests/support/network.ts'
import { aCurrentUser, aPostDetail, dealDetailBetween, mayNothing } from '#tests/support/records.ts'

const at = '2026-11-20T10:00:00.000Z'
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString()
const me = aCurrentUser()
const Offers = Type.Array(Offer)
const Deals = Type.Array(Deal)

const dana = { id: me.id, name: me.name, dealershipName: me.dealershipName }
const marcus = { id: randomUUID(), name: 'Marcus Webb', dealershipName: 'Webb Bros' }

function anOffer(about: Partial<Offer> = {}): Offer {
  return {
    id: randomUUID(),
    postId: randomUUID(),
    vehicleId: randomUUID(),
    title: '2021 Ford F-150',
    askingPrice: 31_900,
    amount: 30_000,
    turn: 'seller',
    status: 'open',
    source: 'offer',
    seller: dana,
    buyer: marcus,
    dealId: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: tomorrow(),
    ...about,
  }
}

const aDealDetail = (about: Partial<DealDetail> = {}) => dealDetailBetween(dana, marcus, about)

const listings = [
  { title: 'Offers', path: '*/api/offers', empty: 'No offers yet', Screen: DealsList },
  { title: 'Deals', path: `*/api/deals/${me.id}`, empty: 'No deals yet', Screen: DealsList },
  { title: 'Deals', path: `*/api/deals/${me.id}`, empty: 'No active deals', Screen: DealPanel },
  {
    title: 'Your activity',
    path: `*/api/deals/${me.id}`,
    empty: 'No transactions yet',
    loading: 'Loading recent activity',
    Screen: RecentTransactions,
  },
]

for (const { title, path, empty, Screen, loading = `Loading ${title.toLowerCase()}` } of listings)
  t.test(`${title}: loading, refused, asked again, "${empty}"`, async (t) => {
    const network = fakeNetwork(t)
    network.use(
      http.get('*/api/offers', () => answer(Offers, [])),
      http.get(`*/api/deals/${me.id}`, () => answer(Deals, [])),
      http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [])),
    )
    const refuse = refuseFirst(network, path)
    show(t, <Screen />, me)
    await showsItsStates(t, { loading, failure: `${title} could not be loaded`, empty, refuse })
  })

for (const Screen of [DealsList, DealPanel, RecentTransactions])
  t.test(`in ${Screen.name} the vehicle leads to the deal, and the other dealer’s name to their page`, async (t) => {
    const { id, ...deal } = aDealDetail()
    fakeNetwork(t).use(
      http.get('*/api/offers', () => answer(Offers, [])),
      http.get(`*/api/deals/${me.id}`, () => answer(Deals, [{ ...deal, id }])),
      http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [])),
    )
    show(t, <Screen />, me)
    const name = await screen.findByRole('link', { name: marcus.name })
    t.equal(name.getAttribute('href'), `/dealers/${marcus.id}`)
    const vehicle = screen.getByRole('link', { name: [deal.year, deal.make, deal.model].join(' ') })
    t.equal(vehicle.getAttribute('href'), `/deals/${id}`)
  })

/** The lists over a network that has this offer; `refused` acts come to nothing. */
function openOffer(t: Test, offer: Offer, refused = 0) {
  const heard: [unknown, number | undefined][] = []
  fakeNetwork(t).use(
    http.get('*/api/offers', () => answer(Offers, [offer])),
    http.get(`*/api/deals/${me.id}`, () => answer(Deals, [])),
    http.post(`*/api/offers/${offer.id}/:act`, async ({ request, params }) => {
      heard.push([params['act'], (await sent(CounterOffer, request)).amount])
      if (heard.length <= refused) return refusal(409, 'This offer is no longer open')
      if (params['act'] === 'accept') Object.assign(offer, { status: 'accepted', dealId: randomUUID() })
      else Object.assign(offer, { turn: 'buyer' })
      return answer(Offer, offer)
    }),
  )
  show(t, <DealsList />, me)
  return heard
}

t.test('an offer is accepted and leads to its deal; a refusal is said', async (t) => {
  const heard = openOffer(t, anOffer(), 1)
  await says(/^2[34] h \d+ min left$/)
  await press('Accept $30,000')
  await says('This offer is no longer open')
  await press('Accept $30,000')
  t.ok(await screen.findByRole('link', { name: 'Open the deal' }))
  t.same(heard, [
    ['accept', undefined],
    ['accept', undefined],
  ])
})

t.test('a counter needs an amount; a refusal keeps what was typed', async (t) => {
  const heard = openOffer(t, anOffer(), 1)
  await press('Counter')
  for (const text of ['', 'a lot', '-5']) {
    fill('Your counter', text)
    await press('Send counter')
    await becomes(t, () => refusalOf('Your counter'), 'Enter an amount in dollars')
  }
  fill('Your counter', '$31,250.50')
  t.equal(refusalOf('Your counter'), undefined)
  await press('Send counter')
  await says('This offer is no longer open')
  t.equal(textIn('Your counter'), '$31,250.50')
  await press('Send counter')
  await says('Waiting')
  t.equal(screen.queryByLabelText('Your counter'), null)
  t.same(heard, [
    ['counter', 31_250.5],
    ['counter', 31_250.5],
  ])
})

t.test('whose turn it is decides what can be done', async (t) => {
  const shows = async (t: Test, offer: Offer, wanted: string[]) => {
    openOffer(t, offer)
    const card = within((await screen.findByText(offer.title)).closest('li')!)
    t.same(
      card.queryAllByRole('button').map(({ textContent }) => textContent),
      wanted,
    )
  }
  const bought = { seller: marcus, buyer: dana }
  await t.test('the other side', (t) => shows(t, anOffer({ turn: 'buyer' }), ['Withdraw']))
  await t.test('a bid of one’s own', (t) => shows(t, anOffer({ ...bought, source: 'auction' }), []))
  await t.test('a bid below the reserve', (t) =>
    shows(t, anOffer({ source: 'auction' }), ['Accept $30,000', 'Counter', 'Let it go']),
  )
  await t.test('one that is over', (t) => shows(t, anOffer({ status: 'expired' }), []))
})

const vehicle = {
  id: randomUUID(),
  vin: null,
  year: 2021,
  make: 'Ford',
  model: 'F-150',
  trim: null,
  mileage: null,
  price: 31_900,
  city: null,
  state: null,
  color: null,
  notes: null,
  location: null,
  atDealership: null,
  status: 'available' as const,
  photos: [],
}

/** The button beside somebody's vehicle; the server answers one offer after the other. */
function openOffering(t: Test, ...answers: (() => Response)[]) {
  const post = aPostDetail({ vehicles: [vehicle] })
  const heard: { amount: number; key: string | null }[] = []
  const offers: Offer[] = []
  fakeNetwork(t).use(
    http.get('*/api/offers', () => answer(Offers, offers)),
    http.post(`*/api/inventory/${post.id}/offers`, async ({ request }) => {
      const key = request.headers.get('idempotency-key')
      const { amount } = await sent(NewOffer, request)
      heard.push({ amount, key })
      const refused = answers.shift()
      if (refused) return refused()
      offers.push(anOffer({ amount, vehicleId: vehicle.id, seller: marcus, buyer: dana }))
      return answer(Offer, offers[0]!)
    }),
  )
  t.teardown(() => sessionStorage.clear())
  const view = show(t, <OfferButton post={post} vehicle={vehicle} />, me)
  return { ...view, post, heard }
}

t.test('an offer: no amount, a refusal beside the field, then success in its place', async (t) => {
  const { post, heard } = openOffering(t, () => refusal(429, 'Ten offers an hour are the most'))
  await press('Make an offer')
  await says(/asking \$31,900/)
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'Enter an amount in dollars')
  fill('Your offer', '29,500')
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'Ten offers an hour are the most')
  t.equal(textIn('Your offer'), '29,500')
  await press('Send offer')
  await says('Offer sent')
  await says(`${post.dealer.name} has 24 hours to answer`)
  await becomes(t, dialogOpen, false)
  await says('Your offer: $29,500')
  t.equal(heard[0]?.key, heard[1]?.key, 'the same amount again is the same offer')
  t.same(Object.keys({ ...sessionStorage }), [], 'nothing half typed is kept')
})

t.test('another amount after a lost answer is another offer', async (t) => {
  const { heard } = openOffering(t, away)
  await press('Make an offer')
  fill('Your offer', '29,500')
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'The database is away')
  fill('Your offer', '30,000')
  await press('Send offer')
  await says('Your offer: $30,000')
  t.same(
    heard.map(({ amount }) => amount),
    [29_500, 30_000],
  )
  t.not(heard[0]?.key, heard[1]?.key)
})

t.test('an amount half typed is there again after closing', async (t) => {
  openOffering(t)
  await press('Make an offer')
  fill('Your offer', '29,')
  await press('Cancel')
  await becomes(t, dialogOpen, false)
  await press('Make an offer')
  t.equal(textIn('Your offer'), '29,')
})

/** One deal over a server that holds it, or refuses with what `refused` holds at the time. */
function openDeal(t: Test, deal: DealDetail) {
  const server: { deal: DealDetail; refused: (() => Response) | undefined } = { deal, refused: undefined }
  const network = fakeNetwork(t)
  network.use(http.get(`*/api/deal/${deal.id}`, () => server.refused?.() ?? answer(DealDetail, server.deal)))
  const messages: string[] = []
  const children = (
    <DealView
      dealId={deal.id}
      onMessage={(dealerId) => void messages.push(dealerId)}
      renderReview={() => <p>The review</p>}
    />
  )
  return { network, server, messages, open: () => show(t, children, me) }
}

t.test('a deal that is not there, or not theirs, is told from one that cannot be loaded', async (t) => {
  for (const status of [400, 403, 404])
    await t.test(String(status), async (t) => {
      const { server, open } = openDeal(t, aDealDetail())
      server.refused = () => refusal(status, 'This deal was not found')
      open()
      await says('Deal not found')
    })
  for (const status of [401, 429, 503])
    await t.test(String(status), async (t) => {
      const { server, open } = openDeal(t, aDealDetail())
      server.refused = () => refusal(status, 'Not now')
      open()
      await says('Loading the deal')
      t.match((await screen.findByRole('alert')).textContent, /The deal could not be loaded.*Not now/)
      t.equal(screen.queryByText('Deal not found'), null)
      server.refused = undefined
      await press('Retry')
      await says('2021 Ford F-150')
    })
})

t.test('a deal that could not be refreshed stays, and says that it is old', async (t) => {
  const { server, open } = openDeal(t, aDealDetail())
  const { cache } = open()
  await says('2021 Ford F-150')
  server.refused = away
  act(() => dealsInbox.deal?.(cache, ''))
  t.match((await screen.findByRole('alert')).textContent, /The database is away/)
  await says('2021 Ford F-150')
})

t.test('approving and cancelling: a refusal is said and changes nothing', async (t) => {
  const may = { ...mayNothing, approve: true, cancel: true }
  const { network, server, messages, open } = openDeal(t, aDealDetail({ may }))
  const heard: unknown[] = []
  network.use(
    http.post(`*/api/deal/${server.deal.id}/:act`, ({ params }) => {
      heard.push(params['act'])
      if (heard.length <= 2) return refusal(409, 'The other side was faster')
      const status = params['act'] === 'approve' ? 'approved' : 'cancelled'
      server.deal = { ...server.deal, status, may: { ...may, approve: false, cancel: status === 'approved' } }
      return answer(DealDetail, server.deal)
    }),
  )
  open()
  await says('Approve the deal to make its documents.')
  await press('Message')
  t.same(messages, [marcus.id])
  await press('Approve')
  await says('The other side was faster')
  await press('Cancel deal')
  await says('Cancel this deal?')
  await press('Cancel deal')
  await gone(t, 'Cancel this deal?')
  await says('Approve the deal to make its documents.')
  await press('Approve')
  await says('Waiting for the other side.')
  await press('Cancel deal')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel deal' }))
  await says('This deal was cancelled.')
  t.same(heard, ['approve', 'cancel', 'approve', 'cancel'])
})

t.test('a document is signed by name; a refusal stays beside it', async (t) => {
  const document = {
    id: randomUUID(),
    kind: 'bill_of_sale',
    number: 'BOS-1',
    version: 1,
    ready: true,
    createdAt: at,
  } as const
  const may = { ...mayNothing, sign: ['bill_of_sale' as const] }
  const { network, server, open } = openDeal(t, aDealDetail({ status: 'approved', documents: [document], may }))
  const heard: string[] = []
  network.use(
    http.post(`*/api/deal/${server.deal.id}/documents/bill_of_sale/signature`, async ({ request }) => {
      const { name } = await sent(NewSignature, request)
      heard.push(name)
      if (heard.length === 1) return refusal(409, 'A newer version has been made. Read it first')
      const signature = { kind: 'bill_of_sale', dealerId: dana.id, name, address: '203.0.113.7', signedAt: at } as const
      server.deal = { ...server.deal, signatures: [signature], may: { ...may, sign: [] } }
      return answer(DealDetail, server.deal)
    }),
  )
  open()
  await says('Sign the documents below.')
  const label = 'Sign the Bill of Sale'
  fill(label, ' D ')
  await press('Sign')
  await becomes(t, () => refusalOf(label), 'Type your full name to sign')
  fill(label, ' Dana Torres ')
  await press('Sign')
  await becomes(t, () => refusalOf(label), 'A newer version has been made. Read it first')
  t.equal(textIn(label), ' Dana Torres ')
  await press('Sign')
  await says(/^signed “Dana Torres”/)
  t.equal(screen.queryByLabelText(label), null)
  t.same(heard, ['Dana Torres', 'Dana Torres'])
})

t.test('a rejected deal says why, a completed one asks how it went', async (t) => {
  await t.test('rejected', async (t) => {
    openDeal(
      t,
      aDealDetail({
        status: 'cancelled',
        review: { status: 'rejected', submittedAt: at, reason: 'The VIN is of another car', at },
      }),
    ).open()
    await says('The VIN is of another car')
    await says(/^Rejected by Lanewire/)
    await says('This deal has no documents.')
  })
  await t.test('completed', async (t) => {
    openDeal(t, aDealDetail({ status: 'completed', may: { ...mayNothing, review: true } })).open()
    await says('The review')
    await says('Say how it went.')
  })
})
