import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { WantedPage } from '#client/pages/wanted.tsx'
import { wantedInbox } from '#client/features/wanted/wanted.live.ts'
import { NewOffer, Offer } from '#shared/schemas/deals.ts'
import { FindAnswer } from '#shared/schemas/find.ts'
import {
  BuyOrder,
  BuyOrderPatch,
  BuyOrders,
  DemandList,
  NewBuyOrder,
  type OrderMatch,
  OrderMatches,
  OrderPreview,
} from '#shared/schemas/wanted.ts'
import {
  choose,
  chooseAct,
  fill,
  gone,
  press,
  refusalOf,
  says,
  showsItsStates,
  textIn,
} from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal, refuseFirst, sent } from '#tests/support/network.ts'
import { me } from '#tests/support/posting.ts'
import { aFound, anOffer } from '#tests/support/records.ts'

const at = new Date().toISOString()
const noTotals = { active: 0, matchesToday: 0, newMatches: 0, offers: 0, nextAnswerAt: null, bought: 0, perMonth: 0 }

const anOrder = (about: Partial<BuyOrder> = {}): BuyOrder => ({
  id: randomUUID(),
  make: 'Ford',
  model: 'F-150',
  trims: ['XLT'],
  yearFrom: 2019,
  yearTo: 2021,
  milesMax: 40_000,
  near: '74112',
  within: 300,
  drive: '4wd',
  photosOnly: false,
  price: 30_000,
  perMonth: 3,
  showName: false,
  note: '',
  state: 'active',
  pauseReason: null,
  expiresAt: '2026-12-21T18:00:00.000Z',
  nextMonthAt: '2026-12-01T18:00:00.000Z',
  timeZone: 'America/Chicago',
  bought: 1,
  newMatches: 4,
  onOffer: 83,
  isLow: false,
  version: 1,
  ...about,
})

const aMatch = (about: Partial<OrderMatch> = {}): OrderMatch => ({
  orderId: randomUUID(),
  at,
  state: 'new',
  offer: 29_400,
  offerId: null,
  vehicle: aFound({ vin: null, place: null }),
  ...about,
})

/** A server that has these orders and matches as they are now. */
function wantedNetwork(t: Test, held: { orders?: BuyOrder[]; matches?: OrderMatch[] } = {}) {
  const network = fakeNetwork(t)
  const heard: unknown[] = []
  network.use(
    http.get('*/api/buy-orders', () =>
      answer(BuyOrders, { orders: held.orders ?? [], zip: '75201', totals: { ...noTotals, active: 1, newMatches: 4 } }),
    ),
    http.get('*/api/buy-orders/matches', () => answer(OrderMatches, { items: held.matches ?? [], next: null })),
    http.post('*/api/buy-orders/matches/seen', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/find', () =>
      answer(FindAnswer, { total: 0, items: [], place: null, home: null, next: null, head: at }),
    ),
    http.post('*/api/buy-orders/preview', () =>
      answer(OrderPreview, {
        onOffer: 83,
        newIn7Days: 12,
        askedQuartiles: [26_400, 28_900, 30_900],
        sold90: { count: 27, median: 28_250 },
        placeKnown: true,
      }),
    ),
    http.post('*/api/buy-orders', async ({ request }) => {
      heard.push(await sent(NewBuyOrder, request))
      return answer(BuyOrder, anOrder())
    }),
    http.patch('*/api/buy-orders/:id', async ({ request, params }) => {
      heard.push({ id: params['id'], ...(await sent(BuyOrderPatch, request)) })
      return answer(BuyOrder, anOrder())
    }),
  )
  return { network, heard }
}

const open = (t: Test, path = '/wanted') => show(t, <WantedPage />, me, path)

t.test('orders say what they look for and how they stand, and are paused, renewed and ended', async (t) => {
  const active = anOrder()
  const orders = [
    active,
    anOrder({ model: 'Ranger', state: 'filled', bought: 3, newMatches: 0 }),
    anOrder({ model: 'Bronco', state: 'paused', pauseReason: 'unanswered' }),
    anOrder({ model: 'Edge', state: 'paused', pauseReason: 'self', isLow: true }),
    anOrder({ model: 'Flex', state: 'ended' }),
  ]
  const { heard } = wantedNetwork(t, { orders })
  open(t)
  await says('2019–2021 Ford F-150 XLT')
  const row = (model: string) => within(screen.getByText(`2019–2021 Ford ${model} XLT`).closest('li') ?? document.body)
  t.match(row('F-150').getByText('$30,000').textContent, '$30,000')
  t.ok(row('F-150').getByText('4 new'))
  t.match(row('F-150').getByRole('link', { name: '83 on offer now' }).getAttribute('href'), '/find?mmt=Ford~F-150~XLT')
  t.ok(row('F-150').getByText('until Dec 21'))
  t.ok(row('Ranger').getByText('again Dec 1'))
  t.ok(row('Edge').getByText(/Less than 40 %/))
  t.ok(screen.getByRole('radio', { name: 'My buy orders 4' }), 'ended ones do not count')
  fireEvent.click(row('F-150').getByRole('switch'))
  fireEvent.click(row('Bronco').getByRole('button', { name: /^Resume/ }))
  fireEvent.click(row('Flex').getByRole('button', { name: /^Renew/ }))
  await becomes(t, () => heard.length, 3)
  t.same(
    heard,
    [
      [active, 'pause'],
      [orders[2], 'resume'],
      [orders[4], 'renew'],
    ].map(([order, act]) => ({ id: (order as BuyOrder).id, act })),
  )
  await chooseAct('More for 2019–2021 Ford F-150 XLT', 'End')
  await press('End order')
  await becomes(t, () => heard.length, 4)
  t.match(heard[3], { act: 'end' })
})

t.test('without orders, and while they cannot be loaded, the screen says so', async (t) => {
  const { network } = wantedNetwork(t)
  const refuse = refuseFirst(network, '*/api/buy-orders')
  open(t)
  await showsItsStates(t, {
    loading: 'Loading buy orders',
    failure: 'Your buy orders could not be loaded',
    empty: 'No buy orders yet',
    refuse,
  })
})

t.test('a new order begins with the search of Find, names what it lacks, and shows the market', async (t) => {
  const { heard } = wantedNetwork(t)
  const { history } = open(
    t,
    '/wanted?order=new&mmt=Ford~F-150~XLT,Ford~F-150~Lariat&year=2019-2021&price=-30000&near=74112&within=300',
  )
  await says('83 vehicles')
  await says('half of them between $26,400 and $30,900')
  t.same([textIn('Make'), textIn(/^Trims/), textIn('Near')], ['Ford', 'XLT, Lariat', '74112'])
  await press('Start buy order')
  t.equal(refusalOf('Mileage up to'), 'Up to how many miles')
  fill('Mileage up to', '40,000')
  fill('You pay a car', '$11,000')
  await says(/less than 40 % of what is asked/)
  fill('How many a month', '2')
  await choose('For', '90 days')
  await press('Start buy order')
  await becomes(t, () => heard.length, 1)
  t.match(heard[0], {
    make: 'Ford',
    model: 'F-150',
    trims: ['XLT', 'Lariat'],
    yearFrom: 2019,
    yearTo: 2021,
    milesMax: 40_000,
    price: 11_000,
    perMonth: 2,
    days: 90,
    near: '74112',
    within: 300,
    drive: null,
    showName: false,
  })
  await says('Buy order started')
  await gone(t, 'Start buy order')
  t.equal(history.at(-1), '/wanted')
})

t.test('what the form lacks and what the server refuses is said where it belongs', async (t) => {
  const { heard, network } = wantedNetwork(t)
  open(t, '/wanted?order=new')
  await says(/^Name a make and a model/)
  await press('Start buy order')
  fill('Year from', '1800')
  fill('How many a month', '51')
  fill(/^Trims/, Array.from({ length: 11 }, (_, index) => `T${index}`).join(','))
  await press('Start buy order')
  t.same(
    ['Make', 'Model', /^Trims/, 'Year from', 'Year to', 'Mileage up to', 'You pay a car', 'How many a month'].map(
      refusalOf,
    ),
    [
      'Say which make you buy',
      'Say which model you buy',
      'Up to 10 trims',
      'A year from 1900 to 2030, or nothing',
      undefined,
      'Up to how many miles',
      'Enter what you pay, in dollars',
      'From 1 to 50',
    ],
  )
  t.equal(document.activeElement, screen.getByLabelText('Make'), 'the first of them has the focus')
  fill('Make', 'Ford')
  t.equal(refusalOf('Make'), undefined, 'what is put right is wrong no more')
  for (const [label, value] of [
    ['Model', 'F-150'],
    [/^Trims/, ''],
    ['Year from', ''],
    ['How many a month', '1'],
    ['Mileage up to', '40000'],
    ['You pay a car', '30000'],
    ['Near', '00000'],
  ] as const)
    fill(label, value)
  const unknown = 'We do not know this ZIP or postal code'
  network.use(
    http.post('*/api/buy-orders', () => refusal(400, unknown, ['near']), { once: true }),
    http.post('*/api/buy-orders/preview', () => refusal(503, 'The database is away')),
  )
  await press('Start buy order')
  await becomes(t, () => refusalOf('Near'), unknown)
  fill('Near', '')
  t.equal(refusalOf('Near'), undefined)
  await says('Figures could not be loaded')
  await press('Start buy order')
  await becomes(t, () => heard.length, 1)
  await gone(t, 'Start buy order')
})

t.test('a field that the server refuses is said once, beside it, with the focus there and all else kept', async (t) => {
  const { network } = wantedNetwork(t)
  open(t, '/wanted?order=new&mmt=Ford~F-150&miles=-40000&price=-30000')
  await says('83 vehicles')
  for (const [field, label] of [
    ['near', 'Near'],
    ['yearFrom', 'Year from'],
    ['price', 'You pay a car'],
    ['perMonth', 'How many a month'],
    ['milesMax', 'Mileage up to'],
    ['model', 'Model'],
  ] as const) {
    network.use(http.post('*/api/buy-orders', () => refusal(400, `Wrong ${field}`, [field]), { once: true }))
    await press('Start buy order')
    await becomes(t, () => refusalOf(label), `Wrong ${field}`)
    t.equal(screen.queryByRole('alert'), null, 'not a second time above the form')
    await becomes(t, () => document.activeElement === screen.getByLabelText(label), true)
    t.same([textIn('Make'), textIn('Model'), textIn('You pay a car')], ['Ford', 'F-150', '$30,000'])
  }
  network.use(http.post('*/api/buy-orders', () => refusal(409, 'You can have up to 50 buy orders'), { once: true }))
  await press('Start buy order')
  t.match((await screen.findByRole('alert')).textContent, 'You can have up to 50 buy orders')
  fill('Mileage up to', '0')
  fill('You pay a car', '100000000')
  await press('Start buy order')
  t.equal(refusalOf('You pay a car'), 'Up to $99,999,999')
})

t.test('a new order is begun while one’s orders cannot be loaded', async (t) => {
  const { network } = wantedNetwork(t)
  network.use(http.get('*/api/buy-orders', () => refusal(503, 'The database is away')))
  open(t, '/wanted')
  await says('Your buy orders could not be loaded')
  await press('New buy order')
  await screen.findByRole('dialog', { name: 'New buy order' })
})

t.test('demand and matches say that they load, why they could not be, and that there is nothing', async (t) => {
  const { network } = wantedNetwork(t)
  const nothing = { items: [], dealers: 0, perMonth: 0, makes: [], placeKnown: false, next: null }
  network.use(http.get('*/api/demand/list', () => answer(DemandList, nothing)))
  const refuse = refuseFirst(network, '*/api/demand/list')
  const { unmount } = open(t, '/wanted?view=demand')
  await showsItsStates(t, {
    loading: 'Loading demand',
    failure: 'Demand could not be loaded',
    empty: 'No vehicle is wanted by three dealers',
    refuse,
  })
  await says(/nothing is said of distance/)
  await says('What fewer dealers want is not listed.')
  fireEvent.click(screen.getByRole('checkbox', { name: 'I have one' }))
  await says('No such vehicle is wanted by three dealers')
  await says(/^Take a filter away/)
  unmount()
  const refuseMatches = refuseFirst(network, '*/api/buy-orders/matches')
  open(t)
  await showsItsStates(t, {
    loading: 'Loading matches',
    failure: 'Your matches could not be loaded',
    empty: /^Nothing waits for an answer/,
    refuse: refuseMatches,
  })
})

t.test('a match is offered for with one press, taken back, and dismissed; more come by themselves', async (t) => {
  const [first, second] = [aMatch(), aMatch({ offer: 30_000, state: 'seen' })]
  const held = { orders: [anOrder()], matches: [first] }
  const { network } = wantedNetwork(t, held)
  const offers: unknown[] = []
  const keys: (string | null)[] = []
  const acts: string[] = []
  const offer = anOffer()
  network.use(
    http.post('*/api/inventory/:id/offers', async ({ request }) => {
      offers.push(await sent(NewOffer, request))
      keys.push(request.headers.get('idempotency-key'))
      return answer(Offer, offer)
    }),
    http.post('*/api/offers/:id/withdraw', () => {
      acts.push('withdraw')
      return answer(Offer, { ...offer, status: 'withdrawn' })
    }),
    http.post('*/api/buy-orders/:order/:vehicle/dismiss', () => {
      acts.push('dismiss')
      held.matches = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { cache } = open(t)
  await press('Offer $29,400 for 2020 Ford F-150 XLT')
  await says('Offered')
  t.same(offers, [{ vehicleId: first.vehicle.vehicleId, amount: 29_400, buyOrderId: first.orderId }])
  await press('Undo')
  await press('Offer $29,400 for 2020 Ford F-150 XLT')
  await becomes(t, () => offers.length, 2)
  t.not(keys[0], keys[1], 'after an Undo it is another offer')
  await press('Undo')
  await press(/^Not this one/)
  await says(/^Nothing waits for an answer/)
  await becomes(t, () => acts, ['withdraw', 'withdraw', 'dismiss'])
  held.matches = [second]
  wantedInbox.match?.(cache, '')
  await says('Offer $30,000')
})
