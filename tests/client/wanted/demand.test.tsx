import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { startPostOutbox } from '#client/features/posting/post-outbox.ts'
import { WantedPage } from '#client/pages/wanted.tsx'
import { PostInventory } from '#client/pages/post-inventory.tsx'
import { Offer } from '#shared/schemas/deals.ts'
import { PostDetail } from '#shared/schemas/posts.ts'
import { BuyOrders, Demand, type DemandGroup, DemandList, DemandOffer, DemandRequest } from '#shared/schemas/wanted.ts'
import { fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, needsPlan, refusal, sent } from '#tests/support/network.ts'
import { me, postingNetwork } from '#tests/support/posting.ts'
import { anOffer, aPostDetail, aShownVehicle } from '#tests/support/records.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

const noTotals = { active: 0, matchesToday: 0, newMatches: 0, offers: 0, nextAnswerAt: null, bought: 0, perMonth: 0 }

const aGroup = (about: Partial<DemandGroup> = {}): DemandGroup => ({
  make: 'Ford',
  model: 'F-150',
  trims: ['XLT'],
  yearFrom: 2019,
  yearTo: 2021,
  milesFrom: 40_000,
  milesTo: 60_000,
  mostlyDrive: null,
  dealers: 11,
  perMonth: 24,
  nearest: 50,
  isRival: false,
  yours: [],
  withheld: null,
  ...about,
})

t.test("shows prices only with the dealer's own vehicle and offers it", async (t) => {
  const network = fakeNetwork(t)
  const own = {
    vehicleId: randomUUID(),
    postId: randomUUID(),
    title: '2020 Toyota Camry SE',
    year: 2020,
    ref: 'sealed',
    offered: false,
  }
  const items = [
    aGroup({ isRival: true }),
    aGroup({ model: 'Ranger' }),
    aGroup({ model: 'Bronco', nearest: null, withheld: 'vin' }),
    aGroup({
      make: 'Toyota',
      model: 'Camry',
      yours: [{ ...own, mileage: 41_000, price: 19_000, dealers: 2, best: 18_900 }],
    }),
  ]
  const asked: string[] = []
  const offered: unknown[] = []
  network.use(
    http.get('*/api/buy-orders', () => answer(BuyOrders, { orders: [], zip: '', totals: noTotals })),
    http.get('*/api/demand/list', ({ request }) => {
      asked.push(new URL(request.url).search)
      return answer(DemandList, {
        items,
        dealers: 148,
        perMonth: 412,
        makes: ['Ford', 'Toyota'],
        placeKnown: true,
        next: null,
      })
    }),
    http.get('*/api/find', () => refusal(503, 'Without suggestions')),
    http.post('*/api/demand/offer', async ({ request }) => {
      offered.push(await sent(DemandOffer, request))
      return answer(Offer, anOffer({ turn: 'buyer' }))
    }),
  )
  const { history } = show(t, <WantedPage />, me, '/wanted?view=demand')
  await says('148 dealers want 412 vehicles per month')
  t.ok(screen.getByText("Hidden: you're buying these too"))
  t.ok(screen.getByText('Enter a VIN to see prices'))
  t.ok(screen.getByText('$18,900'))
  t.match(screen.getByRole('heading', { name: /Ranger/ }).closest('li')?.textContent, /nearest about 50 mi/)
  t.match(screen.getByRole('heading', { name: /Bronco/ }).closest('li')?.textContent, /nearest unknown/)
  t.ok(screen.getByText('Hidden: your VIN is wrong or another dealer has posted it'))
  fireEvent.click(screen.getByRole('checkbox', { name: 'I have one' }))
  await becomes(t, () => asked.at(-1), '?have=1')
  t.equal(history.at(-1), '/wanted?view=demand&have=1')
  await press('New buy order')
  await press('Cancel')
  t.equal(history.at(-1), '/wanted?view=demand&have=1', 'a new order leaves the list as it was')
  await press(/^Offer yours/)
  await press('Offer for $18,900: 2020 Toyota Camry SE')
  await says('Offer sent')
  t.same(offered, [{ ref: 'sealed', vehicleId: own.vehicleId }])
})

t.test('ignores invalid filters in the address of the demand', async (t) => {
  const network = fakeNetwork(t)
  const asked: [string, string][] = []
  network.use(
    http.get('*/api/buy-orders', () => answer(BuyOrders, { orders: [], zip: '', totals: noTotals })),
    http.get('*/api/demand/list', ({ request }) => {
      asked.push(...new URL(request.url).searchParams)
      return answer(DemandList, {
        items: [],
        dealers: 0,
        perMonth: 0,
        makes: ['Ford'],
        placeKnown: true,
        next: null,
      })
    }),
  )
  show(t, <WantedPage />, me, '/wanted?view=demand&within=75&make=Ford')
  await says('No matching demand')
  t.same(asked, [['make', 'Ford']])
  t.match(screen.getByRole('combobox', { name: 'Distance' }).textContent, /anywhere/)
})

t.test('shows a link to the plans instead of the demand without a plan', async (t) => {
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/buy-orders', () => answer(BuyOrders, { orders: [], zip: '', totals: noTotals })),
    http.get('*/api/demand/list', () => needsPlan('Choose a plan to post inventory')),
  )
  show(t, <WantedPage />, me, '/wanted?view=demand')
  await says('This needs a plan')
  t.equal(screen.getByRole('link', { name: 'Choose a plan' }).getAttribute('href'), '/subscribe')
  t.same([screen.queryByRole('alert'), screen.queryByRole('button', { name: 'Retry' })], [null, null])
})

t.test('shows demand while posting and offers the vehicle to the best order', async (t) => {
  const ownVin = '1FTFW1E55MFA48213'
  const vehicle = aShownVehicle({ vin: ownVin })
  const { network } = postingNetwork(t)
  const asked: DemandRequest[] = []
  const offered: unknown[] = []
  network.use(
    http.post('*/api/demand', async ({ request }) => {
      asked.push(await sent(DemandRequest, request))
      const order = { perMonth: 2, rating: 4.8, drive: null, photosOnly: false, note: '', name: null }
      return answer(Demand, {
        dealers: 4,
        perMonth: 7,
        best: 18_900,
        nearest: 40,
        withheld: null,
        isEarlier: false,
        orders: [
          { ...order, ref: 'pictured', price: 18_900, miles: 40, photosOnly: true, note: 'Title within 10 days' },
          { ...order, ref: 'driven', price: 18_700, miles: 70, drive: '4wd' },
          { ...order, ref: 'best', price: 18_500, miles: 100 },
        ],
      })
    }),
    http.post('*/api/inventory', () => answer(PostDetail, aPostDetail({ vehicles: [vehicle] }))),
    http.post('*/api/demand/offer', async ({ request }) => {
      offered.push(await sent(DemandOffer, request))
      return answer(
        Offer,
        anOffer({ turn: 'buyer', buyer: { id: randomUUID(), name: 'Marcus Webb', dealershipName: '' } }),
      )
    }),
  )
  show(t, <PostInventory open onOpenChange={() => undefined} />, me)
  fill('Title', 'A clean truck')
  fill('VIN', ownVin)
  await becomes(t, () => textIn('Make'), 'Ford')
  fill('Model', 'F-150')
  t.equal(screen.queryByText(/want this car/), null, 'not before the mileage is filled in')
  fill('Mileage', '48,210')
  fill('Price', '19000')
  await says('4 dealers want this car')
  t.match(asked, [{ vin: ownVin, make: 'Ford', mileage: 48_210, zip: '', city: 'Dallas', state: 'TX' }])
  await says(/Best \$18,900, nearest about 40 mi/)
  await says(/At \$19,000, we'll notify 2 of the buyers shown within seconds of posting, if the drivetrain fits\./)
  const terms = within(screen.getByRole('region', { name: 'Demand for this vehicle' })).getAllByRole('listitem')
  t.match(
    terms.map(({ textContent }) => textContent),
    [/2 per month, with photos.*Needs photos$/, /If it is 4WD$/, /Fits$/],
  )
  t.ok(screen.getByText(/24 hours to accept \$18,500/), 'the best order that accepts the vehicle as it is')
  const told = () => screen.getByRole('region', { name: 'Demand for this vehicle' }).querySelector('[role=status]')
  fill('Price', '20600')
  t.match(told()?.textContent, /At \$20,600, no buyers are notified unless you add photos\./)
  fill('Price', '21000')
  t.match(told()?.textContent, /no buyers are notified: your price is more than 10% above what these buyers pay/)
  t.ok(screen.getByText('Your price is higher'), 'it can still be offered')
  fill('Price', '')
  t.match(told()?.textContent, /Without a price, we'll notify 2 of the buyers shown/)
  fill('Price', '19000')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Offer it to the top buyer when I post' }))
  await press('Post Inventory')
  await says('Posted and offered')
  t.same(offered, [{ ref: 'best', vehicleId: vehicle.id }])
})

t.test('explains why demand is hidden, retries after a failure, and undoes a choice', async (t) => {
  const { network, heard } = postingNetwork(t)
  const order = {
    perMonth: 2,
    rating: null,
    drive: null,
    photosOnly: false,
    note: '',
    name: 'Webb Bros',
    miles: null,
  }
  const told = { dealers: 1, perMonth: 2, best: 18_900, nearest: null, withheld: null, isEarlier: false }
  const answers = [
    () => refusal(409, 'Another dealer has posted a vehicle with this VIN'),
    () => away(),
    () => answer(Demand, { ...told, isEarlier: true, orders: [{ ...order, ref: 'one', price: 18_900 }] }),
  ]
  const offered: unknown[] = []
  network.use(
    http.post('*/api/demand', () => answers.shift()?.() ?? answer(Demand, { ...told, dealers: 0, orders: [] })),
    http.post('*/api/demand/offer', async ({ request }) => {
      offered.push(await sent(DemandOffer, request))
      return answer(Offer, anOffer())
    }),
  )
  show(t, <PostInventory open onOpenChange={() => undefined} />, me)
  fill('Title', 'A clean truck')
  fill('VIN', '1FTFW1E55MFA48213')
  await becomes(t, () => textIn('Make'), 'Ford')
  fill('Model', 'F-150')
  fill('Mileage', '48,210')
  fill('Price', '19000')
  await says('Demand is not shown. Another dealer has posted a vehicle with this VIN.')
  fill('Mileage', '48,211')
  await says('Demand could not be loaded')
  await press('Retry')
  await says('1 dealer wants this car')
  await says('Webb Bros')
  await says(/these are its last figures/)
  const choice = () => screen.getByRole('checkbox', { name: 'Offer it to the top buyer when I post' })
  fireEvent.click(choice())
  t.equal(choice().getAttribute('aria-checked'), 'true')
  fireEvent.click(choice())
  await press('Post Inventory')
  await becomes(t, () => heard.length, 1)
  t.same(offered, [], 'nothing is offered without a choice')
})

t.test('shows the prices for a VIN on the Wanted page without posting it', async (t) => {
  const { network } = postingNetwork(t)
  const asked: DemandRequest[] = []
  const answers = [
    { ...wanted, orders: [{ ...anyTerms, ref: 'one', price: 18_900 }] },
    { ...wanted, dealers: 0, orders: [] },
  ]
  network.use(
    http.get('*/api/buy-orders', () => answer(BuyOrders, { orders: [], zip: '', totals: noTotals })),
    http.get('*/api/demand/list', () =>
      answer(DemandList, { items: [], dealers: 3, perMonth: 4, makes: [], placeKnown: true, next: null }),
    ),
    http.post('*/api/demand', async ({ request }) => {
      asked.push(await sent(DemandRequest, request))
      return answer(Demand, answers.shift()!)
    }),
  )
  show(t, <WantedPage />, me, '/wanted?view=demand')
  await screen.findByLabelText('VIN')
  fill('VIN', '1FTFW1E55MFA48213')
  const form = within(screen.getByRole('region', { name: 'Prices for your vehicle' }))
  await becomes(t, () => form.getByLabelText<HTMLInputElement>('Make').value, 'Ford')
  fill('Model', 'F-150')
  fill('Mileage', '48,210')
  await says('1 dealer wants this car')
  t.ok(screen.getByText('$18,900'))
  t.equal(screen.queryByRole('checkbox', { name: 'Offer it to the top buyer when I post' }), null)
  t.match(asked, [{ vin: '1FTFW1E55MFA48213', make: 'Ford', model: 'F-150', mileage: 48_210, city: 'Dallas' }])
  fill('Mileage', '98,210')
  await says('No dealer has a buy order for this vehicle right now.')
})

const wanted = { dealers: 1, perMonth: 2, best: 18_900, nearest: null, withheld: null, isEarlier: false }
const anyTerms = { perMonth: 2, rating: null, drive: null, photosOnly: false, note: '', name: null, miles: null }

async function chooseBest(t: Test, title: string) {
  fill('Title', title)
  fill('VIN', '1FTFW1E55MFA48213')
  await becomes(t, () => textIn('Make'), 'Ford')
  fill('Model', 'F-150')
  fill('Mileage', '48,210')
  fill('Price', '19000')
  await says('1 dealer wants this car')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Offer it to the top buyer when I post' }))
}

t.test('neither reveals nor offers a vehicle that goes to auction', async (t) => {
  const { network, heard } = postingNetwork(t)
  const offered: unknown[] = []
  network.use(
    http.post('*/api/demand', () =>
      answer(Demand, { ...wanted, orders: [{ ...anyTerms, ref: 'one', price: 18_900 }] }),
    ),
    http.post('*/api/demand/offer', async ({ request }) => {
      offered.push(await sent(DemandOffer, request))
      return answer(Offer, anOffer())
    }),
  )
  show(t, <PostInventory open onOpenChange={() => undefined} />, me)
  await chooseBest(t, 'A clean truck')
  await says(/^At \$19,000, we'll notify them within seconds of posting\./)
  fill('Title', 'Live auction: a clean truck')
  await says(/^Buyers aren't notified during an auction/)
  t.equal(screen.queryByRole('checkbox', { name: 'Offer it to the top buyer when I post' }), null)
  await press('Post Inventory')
  await becomes(t, () => heard.length, 1)
  t.same(offered, [])
})

t.test('says that a post waiting for a connection is sent without the offer', async (t) => {
  const { network } = postingNetwork(t)
  network.use(
    http.post('*/api/demand', () =>
      answer(Demand, { ...wanted, orders: [{ ...anyTerms, ref: 'one', price: 18_900 }] }),
    ),
    http.post('*/api/inventory', () => HttpResponse.error()),
  )
  t.teardown(
    startPostOutbox({
      dealerId: me.id,
      cache: aQueryClient(),
      storage: { put: async () => true, remove: async () => {}, list: async () => [] },
    }),
  )
  show(t, <PostInventory open onOpenChange={() => undefined} />, me)
  await chooseBest(t, 'A clean truck')
  await press('Post Inventory')
  await says('The offer was not sent')
})
