import t from 'tap'
import type { MarketPosition } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '../../support/app.ts'
import { aVehicle, publish } from '../../support/factories.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const vinOf = (n: number) => `1FTFW1E5${n % 10}MFA${String(10_000 + n)}`
const marketOf = async (reader: Caller, postId: string) =>
  (await reader.get<MarketPosition[]>(`/api/inventory/${postId}/market`)).body

async function startMarket() {
  const plan = 'premium'
  const [seller, reader] = [await app.signIn('Seller'), await app.signIn('Reader', { plan })]
  const others = await Promise.all(['One', 'Two', 'Three'].map((name) => app.signIn(name, { plan })))
  let n = 0
  const offer = (dealer: Caller, about: object = {}) =>
    publish(dealer, { vehicles: [{ ...aVehicle, vin: vinOf((n += 1)), price: 40_000, ...about }] })
  const subject = await publish(seller, { vehicles: [{ ...aVehicle, price: 30_000 }] })
  return { seller, reader, others: others as [Caller, Caller, Caller], offer, subject }
}

t.test(
  "compares with five vehicles of three other dealers, each once, without the author's and the reader's",
  async (t) => {
    const { seller, reader, others, offer, subject } = await startMarket()
    const [one, two, three] = others
    for (const dealer of [one, one, two, two, two]) await offer(dealer)
    t.same(await marketOf(reader, subject), [], 'five vehicles, but of two dealers')
    await offer(seller)
    await offer(three, { vin: vinOf(1) })
    t.same(
      await marketOf(reader, subject),
      [],
      "the third dealer's only vehicle is a duplicate; the author's do not count",
    )
    const third = await offer(three)
    const without = await app.signIn('Without', { plan: 'basic' })
    t.equal((await without.get(`/api/inventory/${subject}/market`)).status, 402, 'the plan does not include it')
    t.match(await marketOf(reader, subject), [{ count: 6, dealers: 3, percent: -25 }])
    t.same(await marketOf(one, subject), [], 'without the reader, only two dealers remain')
    await three.patch(`/api/inventory/${third}`, { status: 'expired' })
    t.same(await marketOf(reader, subject), [], 'an expired post does not count')
    await three.patch(`/api/inventory/${third}`, { status: 'active' })
    await three.patch(`/api/inventory/${third}`, { status: 'sold' })
    t.match(await marketOf(reader, subject), [{ count: 6 }], 'a recently sold vehicle counts')
    const { db } = app.server.ctx
    const soldAt = new Date(Date.now() - 91 * 24 * 3_600_000)
    await db.updateTable('vehicles').set({ soldAt }).where('postId', '=', third).execute()
    t.same(await marketOf(reader, subject), [], 'but not after ninety days')
  },
)

t.test('ignores vehicles of a distant year or mileage, or without a price', async (t) => {
  const { reader, others, offer, subject } = await startMarket()
  for (const apart of [{ year: 2018 }, { mileage: 120_000 }, { model: 'F-250' }])
    for (const dealer of others) await offer(dealer, apart)
  t.same(await marketOf(reader, subject), [])
  for (const dealer of [...others, ...others]) await offer(dealer, { year: 2022, mileage: 50_000 })
  t.match(await marketOf(reader, subject), [{ count: 6, dealers: 3, percent: -25 }])
})

t.test('shows the market only for existing posts, to signed-in dealers', async (t) => {
  const { reader, subject } = await startMarket()
  t.equal((await app.visitor.get(`/api/inventory/${subject}/market`)).status, 401)
  t.equal((await reader.get('/api/inventory/018f0000-0000-7000-8000-000000000001/market')).status, 404)
})
