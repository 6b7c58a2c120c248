import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { SheetReport } from '#shared/schemas/posting.ts'
import { startApp } from '#tests/support/app.ts'
import { aBidder, readAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { decideSheet, finishedImport } from '#tests/support/imports.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { acceptOffer } from '#tests/support/deals.ts'

/** The content of the linked spreadsheet. Undefined makes the link return 404. */
let sheet: string | undefined
const host = await startWebsite(t, (_request, response) => {
  if (sheet === undefined) response.writeHead(404).end()
  else response.setHeader('content-type', 'text/csv').end(sheet)
})
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
t.beforeEach(app.startOver)

const auction = { startAmount: 500, reserveAmount: null }
const post = {
  type: 'spreadsheet' as const,
  title: 'Live auction: our stock',
  vehicles: [],
  spreadsheetUrl: `http://${host}/list.csv`,
}
const vins = { a: '1FTFW1E59NKD69096', b: '4T1BE46K19U856421', c: '1FTFW1E50MFA00001' } as const
const ofVins = (...listed: (keyof typeof vins)[]) =>
  [
    'VIN,Year,Make,Model,Mileage,Price,City,State',
    ...listed.map((name) => `${vins[name]},2021,Ford,F-150,9,31000,Enid,OK`),
  ].join('\n')
const ofCars = (...rows: string[]) => ['Year,Make,Model,Trim,Mileage,Price', ...rows].join('\n')

async function aSheetPost(first: string) {
  sheet = first
  const [seller, buyer] = [await app.signIn('Seller Motors'), await aBidder(app, 'Buyer Motors')]
  const id = await publish(seller, post)
  t.match(await finishedImport(seller, id), { state: 'done' })
  const vehicles = async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles
  const offer = async (place: number) => {
    const vehicleId = (await vehicles())[place]?.id
    return (await buyer.post<Offer>(`/api/inventory/${id}/offers`, { vehicleId, amount: 9_000 })).body
  }
  return {
    id,
    seller,
    buyer,
    vehicles,
    offer,
    deal: async (place: number) => {
      t.equal((await acceptOffer(seller, (await offer(place)).id)).status, 200)
    },
    openBidding: async () => {
      t.equal((await seller.patch(`/api/inventory/${id}`, { auction })).status, 200)
    },
    readAgain: async (next: string) => {
      sheet = next
      t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
      const { state, held } = await finishedImport(seller, id)
      if (state === 'held') await decideSheet(seller, id, { heldId: held?.id, publish: true, endAuction: true })
      return vehicles()
    },
    statusOf: async (one: Offer) =>
      (await buyer.get<Offer[]>('/api/offers')).body.find((other) => other.id === one.id)?.status,
  }
}

t.test('puts the vehicles of a reread sheet first, and those in a deal last, without bidding', async (t) => {
  const { id, buyer, deal, openBidding, readAgain } = await aSheetPost(ofVins('a', 'b', 'c'))
  await openBidding()
  await deal(1)
  t.match(await readAgain(ofVins('a', 'b', 'c')), [
    { vin: vins.a, status: 'available' },
    { vin: vins.c, status: 'available' },
    { vin: vins.b, status: 'pending' },
  ])
  t.equal((await readAuction(buyer, id)).status, 'open')
  t.match(await readAgain(ofVins('c', 'a')), [{ vin: vins.a }, { vin: vins.c }, { vin: vins.b, status: 'pending' }])
})

t.test('keeps a vehicle sold that its seller marked as sold when its sheet is read again', async (t) => {
  const { id, seller, vehicles, readAgain } = await aSheetPost(ofVins('a', 'b'))
  const sold = (await vehicles())[0]?.id
  t.equal((await seller.patch(`/api/inventory/${id}`, { vehicle: { id: sold, status: 'sold' } })).status, 200)
  t.match(await readAgain(ofVins('a', 'b', 'c')), [
    { vin: vins.a, status: 'sold' },
    { vin: vins.b, status: 'available' },
    { vin: vins.c, status: 'available' },
  ])
})

t.test('keeps sold vehicles and those in a deal off the market when the sheet loses its VINs', async (t) => {
  const withoutVins = (...miles: number[]) =>
    ['Year,Make,Model,Mileage,Price', ...miles.map((mileage) => `2021,Ford,F-150,${mileage},31000`)].join('\n')
  const withVins = [
    'VIN,Year,Make,Model,Mileage,Price',
    `${vins.a},2021,Ford,F-150,10,31000`,
    `${vins.b},2021,Ford,F-150,20,31000`,
    `${vins.c},2021,Ford,F-150,30,31000`,
  ].join('\n')
  const { id, seller, vehicles, deal, readAgain } = await aSheetPost(withVins)
  const [sold, dealt, other] = (await vehicles()).map((vehicle) => vehicle.id)
  t.equal((await seller.patch(`/api/inventory/${id}`, { vehicle: { id: sold, status: 'sold' } })).status, 200)
  await deal(1)
  for (const miles of [
    [10, 20, 30],
    [11, 21, 30],
  ])
    t.same(
      (await readAgain(withoutVins(...miles))).filter(({ status }) => status === 'available').map((one) => one.id),
      [other],
      `sold ${sold}, in a deal ${dealt}: ${miles.join()}`,
    )
})

t.test('keeps the vehicle of a running auction when its sheet lists another one first', async (t) => {
  const { offer, openBidding, readAgain, statusOf, id, buyer, vehicles } = await aSheetPost(ofVins('a', 'b', 'c'))
  await openBidding()
  const [lot] = await vehicles()
  const [onB, onC] = [await offer(1), await offer(2)]
  const again = await readAgain(ofVins('b', 'a', 'c'))
  t.match(again, [{ id: lot?.id, vin: vins.a }, { vin: vins.b }, { vin: vins.c }])
  t.same([await statusOf(onB), await statusOf(onC)], ['open', 'open'])
  t.equal((await readAuction(buyer, id)).status, 'open')
})

t.test('ends an auction and tells its seller when the sheet drops its vehicle', async (t) => {
  for (const isStopped of [false, true]) {
    const { id, seller, buyer, vehicles, offer, openBidding, readAgain, statusOf } = await aSheetPost(ofVins('a', 'b'))
    await openBidding()
    const lot = (await vehicles())[0]?.id
    const pending = { vehicle: { id: lot, status: 'pending' }, endAuction: true }
    if (isStopped) t.equal((await seller.patch(`/api/inventory/${id}`, pending)).status, 200)
    const onB = await offer(1)
    t.match(await readAgain(ofVins('b', 'c')), [{ vin: vins.b }, { vin: vins.c }])
    const ended = { status: 'no_sale', endReason: 'The seller removed or replaced the vehicle' }
    t.match(await readAuction(buyer, id), ended)
    t.equal(await statusOf(onB), 'open')
    const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
    const told = items.filter(({ title }) => title === 'The auction ended: the spreadsheet no longer lists its vehicle')
    t.equal(told.length, isStopped ? 0 : 1)
    await readAgain(ofVins('a', 'b'))
    t.match(await readAuction(buyer, id), ended, 'it does not start again')
  }
})

t.test('does not count rows of vehicles in a deal in the report of a sheet', async (t) => {
  const { id, seller, deal, readAgain } = await aSheetPost(ofVins('a', 'b', 'c'))
  await deal(1)
  await readAgain(ofVins('a', 'b', 'c'))
  t.match((await seller.get<SheetReport>(`/api/inventory/${id}/sheet`)).body, { state: 'done', found: 2 })
})

t.test('ends an auction without a bid when its sheet leaves nothing for sale', async (t) => {
  const { id, buyer, deal, openBidding, readAgain } = await aSheetPost(ofVins('a', 'b'))
  await openBidding()
  await deal(1)
  t.match(await readAgain(ofVins('b')), [{ vin: vins.b, status: 'pending' }])
  t.not((await readAuction(buyer, id)).status, 'open')
})

t.test("ends a preset maximum with its vehicle, not with another vehicle's deal or row", async (t) => {
  const { id, seller, buyer, deal, readAgain } = await aSheetPost(ofVins('a', 'b', 'c'))
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const later = { ...auction, startsAt: at(1), endsAt: at(2) }
  t.equal((await seller.patch(`/api/inventory/${id}`, { auction: later })).status, 200)
  t.equal((await buyer.put(`/api/inventory/${id}/preset`, { amount: 60_000 })).status, 204)
  const standing = async () => (await readAuction(buyer, id)).you.preset
  await readAgain(ofVins('a', 'c', 'b'))
  t.equal(await standing(), 60_000, 'other vehicles changed places')
  await deal(2)
  await readAgain(ofVins('a', 'c'))
  t.equal(await standing(), 60_000, 'another vehicle is in a deal')
  await readAgain(ofVins('c', 'a'))
  t.equal(await standing(), 60_000, 'another is listed first')
  await readAgain(ofVins('c'))
  t.equal(await standing(), null)
})

t.test('does not offer a vehicle without a VIN again that is in a deal, but offers a twin', async (t) => {
  const rows = ['2019,Honda,Civic,LX,48210,9500', '2019,Honda,Civic,LX,48210,8000', '2018,Kia,Rio,,1,1000'] as const
  const { vehicles, deal, readAgain } = await aSheetPost(ofCars(...rows))
  const [dealt, like, kia] = await vehicles()
  await deal(0)
  const after = [
    { id: like?.id, price: 8_000, status: 'available' },
    { id: kia?.id, make: 'Kia' },
    { id: dealt?.id, price: 9_500, status: 'pending' },
  ]
  for (const sheet of [ofCars(...rows), ofCars(...rows), ofCars(rows[0].toUpperCase(), rows[1], rows[2])]) {
    const now = await readAgain(sheet)
    t.match(now, after)
    t.equal(now.length, 3)
  }
  const cheaper = await readAgain(ofCars('2019,Honda,Civic,LX,48210,9400', rows[1], rows[2]))
  t.match(cheaper, after, 'the same vehicle at another price')
  t.equal(cheaper.length, 3)
  const named = ['VIN,Year,Make,Model,Trim,Mileage,Price', `${vins.a},${rows[0]}`, `,${rows[1]}`, `,${rows[2]}`]
  const withVin = await readAgain(named.join('\n'))
  t.match(withVin, after, 'the same vehicle with a VIN')
  t.equal(withVin.length, 3)
})

t.test(
  'does not offer a vehicle without a VIN again that is not for sale if its details change in the sheet',
  async (t) => {
    const rows = ['2019,Honda,Civic,LX,48210,9500', '2018,Kia,Rio,,1,1000', '2017,Ford,Focus,,7,7000'] as const
    const { id, seller, vehicles, deal, readAgain } = await aSheetPost(ofCars(...rows))
    const [honda, kia, ford] = await vehicles()
    await deal(0)
    for (const [vehicle, status] of [
      [kia, 'sold'],
      [ford, 'pending'],
    ] as const)
      t.equal((await seller.patch(`/api/inventory/${id}`, { vehicle: { id: vehicle?.id, status } })).status, 200)
    const changed = ['2019,Honda,Civic,LX,48390,9100', '2018,Kia,Rio,,20,2000', '2017,Ford,Focus,,70,6000'] as const
    const now = await readAgain(ofCars(...changed))
    t.match(now, [
      { id: kia?.id, mileage: 20, status: 'sold' },
      { id: ford?.id, mileage: 70, status: 'pending' },
      { id: honda?.id, mileage: 48_210, status: 'pending' },
    ])
    t.equal(now.length, 3)
    const another = '2019,Honda,Civic,LX,12000,14000'
    t.match(
      await readAgain(ofCars(another, changed[1], rows[0])),
      [
        { mileage: 12_000, status: 'available' },
        { id: kia?.id, status: 'sold' },
        { id: honda?.id, status: 'pending' },
      ],
      'an exact row wins',
    )
    t.match(
      await readAgain(ofCars('2019,Honda,Civic,LX,9000,15000')),
      [
        { mileage: 9_000, status: 'available' },
        { id: honda?.id, status: 'pending' },
      ],
      "a lower mileage is another vehicle, even if the first one's row is missing",
    )
  },
)

t.test('keeps a vehicle without a VIN and its offer when the sheet is read again', async (t) => {
  const rows = ['2019,Honda,Civic,LX,48210,9500', '2018,Kia,Rio,,1,1000'] as const
  const { vehicles, offer, readAgain, statusOf } = await aSheetPost(ofCars(...rows))
  const [honda, kia] = await vehicles()
  const [onHonda, onKia] = [await offer(0), await offer(1)]
  t.match(await readAgain(ofCars('2020,Ford,Escape,,5,5000', '2018,KIA,Rio,,1,2000', rows[0])), [
    { make: 'Ford' },
    { id: kia?.id, price: 2_000 },
    { id: honda?.id },
  ])
  t.same([await statusOf(onHonda), await statusOf(onKia)], ['open', 'open'])
  await readAgain(ofCars(rows[0]))
  t.same([await statusOf(onHonda), await statusOf(onKia)], ['open', 'ended'], 'its row is missing')
})

t.test("opens bidding on a sheet's vehicles only after the sheet is read", async (t) => {
  const refused = {
    error: {
      message: /^Bidding can be switched on once the vehicles of the spreadsheet are listed: edit the post then$/,
    },
  }
  sheet = undefined
  const seller = await app.signIn('Seller Motors')
  const published = await seller.post<ErrorBody>('/api/inventory', { ...post, auction })
  t.match(published, { status: 400, body: refused })
  const id = await publish(seller, post)
  t.match(await finishedImport(seller, id), { state: 'failed' })
  const open = () => seller.patch<PostDetail & ErrorBody>(`/api/inventory/${id}`, { auction })
  t.match(await open(), { status: 409, body: refused })
  sheet = ofVins('a')
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  t.match(await finishedImport(seller, id), { state: 'done' })
  t.match(await open(), { status: 200, body: { hasAuction: true } })
})

t.test(
  'opens no bidding on vehicles sent with a spreadsheet post, or edited into it, before the sheet is read',
  async (t) => {
    sheet = undefined
    const seller = await app.signIn('Seller Motors')
    const id = await publish(seller, { ...post, vehicles: [aVehicle] })
    t.match(await finishedImport(seller, id), { state: 'failed' })
    t.match((await seller.get<PostDetail>(`/api/inventory/${id}`)).body, { vehicleCount: 0, vehicles: [] })
    const edit = (patch: object) => seller.patch<ErrorBody>(`/api/inventory/${id}`, patch)
    t.equal((await edit({ auction })).status, 409)
    for (const patch of [{ vehicles: [aVehicle] }, { vehicles: [aVehicle], auction }])
      t.match(await edit(patch), {
        status: 409,
        body: { error: { message: /^The vehicles of this spreadsheet are not listed yet/ } },
      })
  },
)
