import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder } from '#tests/support/bidding.ts'
import { acceptOffer } from '#tests/support/deals.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'

const app = await startApp(t)
const other = { ...aVehicle, vin: '4T1BE46K19U856421', make: 'Toyota', model: 'Camry', year: 2009 }
const edit = (seller: Caller, postId: string, patch: object) => seller.patch(`/api/inventory/${postId}`, patch)
const vehiclesOf = async (caller: Caller, postId: string) =>
  (await caller.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles

t.test('treats an id in capitals as the same vehicle, bound by its deal', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller, { type: 'multiple', vehicles: [aVehicle, other] })
  const [first, second] = await vehiclesOf(seller, postId)
  const { body } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId: first?.id, amount: 9_000 })
  await acceptOffer(seller, body.id)
  const capitals = first?.id.toUpperCase()
  t.equal((await edit(seller, postId, { vehicle: { id: capitals, status: 'available' } })).status, 409)
  const vehicles = [
    { ...aVehicle, id: first?.id },
    { ...other, id: second?.id },
    { ...other, id: capitals },
  ]
  t.equal((await edit(seller, postId, { vehicles })).status, 400)
  t.equal((await vehiclesOf(seller, postId))[0]?.status, 'pending')
})

t.test('refuses to accept without an amount', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller)
  const [vehicle] = await vehiclesOf(seller, postId)
  const { body } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, {
    vehicleId: vehicle?.id,
    amount: 9_000,
  })
  t.equal((await seller.post(`/api/offers/${body.id}/accept`, {})).status, 400)
  t.equal((await acceptOffer(seller, body.id)).status, 200)
})
