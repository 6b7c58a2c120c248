import t from 'tap'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { aPost, aVehicle, publish } from '#tests/support/factories.ts'
import { aPhoto, upload } from '#tests/support/uploads.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const needed = "Please complete at least one vehicle's information"
/** The fewest fields that the form for new posts accepts. */
const named = { vin: aVehicle.vin, make: 'Ford', model: 'F-150', atDealership: true }

t.test(
  'requires a VIN of 17 letters and digits without I, O and Q, and a listed state, in posts and edits',
  async (t) => {
    const { signIn } = app
    const seller = await signIn('Webb Bros')
    const id = await publish(seller, { vehicles: [{ ...aVehicle, city: 'Toronto', state: 'ON' }] })
    const { body: post } = await seller.get<PostDetail>(`/api/inventory/${id}`)
    t.match(post.vehicles[0], { city: 'Toronto', state: 'ON' }, 'a province is valid')
    for (const wrong of [
      { ...aVehicle, vin: '1FTFW1E53MFA4821' },
      { ...aVehicle, vin: '1FTFW1E53MFA4821O' },
      { ...aVehicle, vin: '1FTFW1E53MFA-8213' },
      { ...aVehicle, state: 'ZZ' },
      { ...named, vin: 'IFTFW1E53MFA48213' },
      { ...named, state: 'ZZ' },
      { ...named, make: ' ' },
    ]) {
      const label = JSON.stringify(wrong)
      t.match(
        (await seller.post('/api/inventory', aPost({ vehicles: [wrong] }))).body,
        { error: { message: needed } },
        label,
      )
      const patch = { vehicles: [{ ...wrong, id: post.vehicles[0]?.id }] }
      t.match((await seller.patch(`/api/inventory/${id}`, patch)).body, { error: { message: needed } }, label)
    }
    t.same((await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles, post.vehicles)
  },
)

t.test('offers a composer vehicle with fewer details for sale, but not in an auction', async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const words = { ...named, notes: 'Second key', location: 'Lot 7', atDealership: false }
  const id = await publish(seller, { vehicles: [words] })
  t.match((await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles, [{ ...words, price: null, year: null }])
  const auction = aPost({ title: 'F-150, live auction', vehicles: [words], auction: { startAmount: 5_000 } })
  const { status, body } = await seller.post('/api/inventory', auction)
  t.equal(status, 400)
  t.match(body, {
    error: {
      message: 'A vehicle must be complete before you can auction it. Still needed: year, mileage, price, city, state',
    },
  })
  t.equal((await seller.post('/api/inventory', { ...auction, vehicles: [aVehicle] })).status, 201)
})

t.test('accepts a facilitator from either list, or none', async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const read = async (id: string) => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.auctionFacilitator
  const refused = { error: { message: 'Please choose an auction facilitator from the list' } }
  t.match((await seller.post('/api/inventory', aPost({ auctionFacilitator: 'My cousin' }))).body, refused)
  const id = await publish(seller, { auctionFacilitator: 'manheim' })
  t.equal(await read(id), 'manheim')
  t.match((await seller.patch(`/api/inventory/${id}`, { auctionFacilitator: 'My cousin' })).body, refused)
  await seller.patch(`/api/inventory/${id}`, { auctionFacilitator: 'SmartAuction' })
  t.equal(await read(id), 'SmartAuction')
  await seller.patch(`/api/inventory/${id}`, { auctionFacilitator: '' })
  t.equal(await read(id), null)
})

t.test("keeps each vehicle's own photos in the post, in the feed and after an edit", async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const urls: string[] = []
  for (let n = 1; n <= 4; n++) urls.push(new URL(await upload(seller, await aPhoto(40 + n, 30))).pathname)
  const [own = '', truck = '', dash = '', later = ''] = urls
  const id = await publish(seller, {
    type: 'multiple',
    photoUrls: [own],
    vehicles: [
      { ...aVehicle, photos: [truck, dash] },
      { ...aVehicle, vin: '4T1BE46K19U856421', make: 'Toyota', model: 'Camry' },
    ],
  })
  const read = async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
  const before = await read()
  t.same(before.photoUrls, [own, truck, dash])
  const known = ({ photoInfo = [] }: Pick<PostDetail, 'photoInfo'>) =>
    photoInfo.map(({ vehicle, name, tint, shows }) => [vehicle, name, /^#[0-9a-f]{6}$/.test(tint ?? ''), shows])
  const truckName = `${aVehicle.year} ${aVehicle.make} ${aVehicle.model}`
  const wanted = [
    [null, '', true, null],
    [0, truckName, true, null],
    [0, truckName, true, null],
  ]
  t.same(known(before), wanted)
  t.same(
    before.vehicles.map(({ photos }) => photos),
    [[truck, dash], []],
  )
  const [inFeed] = (await seller.get<PostDetail[]>('/api/inventory')).body
  t.same(inFeed?.vehicles[0]?.photos, [truck, dash])
  t.same(known(inFeed ?? {}), wanted, 'the feed has the same photos')
  await seller.patch(`/api/inventory/${id}`, { photoUrls: [own, later] })
  t.same((await read()).photoUrls, [own, later, truck, dash], "the post's own photos stay")
  const [first, second] = before.vehicles
  const edited = await seller.patch<PostDetail>(`/api/inventory/${id}`, {
    vehicles: [
      { ...aVehicle, id: first?.id, photos: [dash] },
      { ...aVehicle, vin: '4T1BE46K19U856421', make: 'Toyota', model: 'Camry', id: second?.id, photos: [truck] },
    ],
  })
  t.equal(edited.status, 200)
  t.same(
    edited.body.vehicles.map(({ photos }) => photos),
    [[dash], [truck]],
  )
  t.same(edited.body.photoUrls, [own, later, dash, truck])
})
