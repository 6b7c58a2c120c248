import t from 'tap'
import type { FindAnswer, FindWords } from '#shared/schemas/find.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'

const app = await startApp(t, { ROLES: 'api' })

const find = async (caller: Caller, search = '') => {
  await app.server.find.follow()
  return (await caller.get<FindAnswer>(`/api/find?${search}`)).body
}

const homeOf = async (caller: Caller) => (await caller.get<FindWords>('/api/find/words?text=near+me')).body.home

t.test("measures from the caller's dealership without a place and offers its ZIP", async (t) => {
  const [seller, buyer] = [await app.signIn('Cherokee Auto', { city: 'Tulsa', state: 'OK' }), await app.signIn('Buyer')]
  await seller.patch('/api/profile', { zip: '74112' })
  const postId = await publish(seller)
  const milesFrom = async (search: string) =>
    (await find(buyer, search)).items.find((item) => item.postId === postId)?.miles
  await buyer.patch('/api/profile', { zip: '' })
  t.equal((await find(buyer)).home, null)
  t.equal(await homeOf(buyer), null)
  t.equal(await milesFrom(''), null)
  await buyer.patch('/api/profile', { zip: '75201' })
  const dallas = { code: '75201', city: 'Dallas', region: 'TX' }
  t.same((await find(buyer)).home, dallas)
  t.same(await homeOf(buyer), dallas)
  const fromDallas = await milesFrom('near=75201')
  t.ok(Number(fromDallas) > 200)
  t.equal(await milesFrom(''), fromDallas)
  t.ok(Number(await milesFrom('near=74101')) < 15, 'a requested place comes first')
  t.equal(
    await milesFrom('near=00000&within=50'),
    null,
    "an unknown place does not fall back to the dealer's own location",
  )
  await buyer.patch('/api/profile', { zip: '00000' })
  t.equal((await find(buyer)).home, null, 'an unknown place')
})
