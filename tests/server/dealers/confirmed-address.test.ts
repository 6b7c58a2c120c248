import t from 'tap'
import type { NetworkSettings } from '#shared/schemas/admin.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Demand } from '#shared/schemas/wanted.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { bid, publishAuction, setMaximum } from '#tests/support/bidding.ts'
import { aPost, aVehicle, publish } from '#tests/support/factories.ts'
import { mailTo } from '#tests/support/mail.ts'
import { aBuyOrder, buyer as signInBuyer } from '#tests/support/wanted.ts'

const app = await startApp(t)
const { signIn } = app
const { db } = app.server.ctx
const admin = await signIn('Lanewire', { role: 'admin' })

const setRule = (confirmedOnly: boolean) => admin.patch<NetworkSettings>('/api/admin/network', { confirmedOnly })
const confirm = ({ id }: Caller) =>
  db.updateTable('dealers').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute()
const emailOf = async ({ id }: Caller) =>
  (await db.selectFrom('dealers').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

t.test('requires a confirmed address to post, bid and offer if the network says so', async (t) => {
  const [seller, dealer] = [await signIn('Confirmed Motors'), await signIn('Unconfirmed Motors')]
  await confirm(seller)
  t.match((await admin.get('/api/admin/network')).body, { confirmedOnly: false }, 'off outside production')
  t.equal((await dealer.patch('/api/admin/network', { confirmedOnly: true })).status, 403)
  const own = await publish(dealer)
  await dealer.patch(`/api/inventory/${own}`, { status: 'expired' })
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const later = { startsAt: inHours(1), endsAt: inHours(2) }
  const [postId, lot, nextLot] = [
    await publish(seller),
    await publishAuction(seller),
    await publishAuction(seller, later),
  ]
  t.match((await setRule(true)).body, { confirmedOnly: true })
  t.teardown(() => setRule(false))

  const refused = {
    status: 403,
    body: { error: { code: 'email_unconfirmed', message: /^Confirm your email address .* have it sent again$/ } },
  }
  const vehicleId = (await dealer.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  const offer = () => dealer.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  t.match(await dealer.post('/api/inventory', aPost()), refused)
  t.match(await dealer.post(`/api/inventory/${own}/relist`), refused)
  t.match(await dealer.patch(`/api/inventory/${own}`, { status: 'active' }), refused)
  t.match(await offer(), refused)
  t.match(await bid(dealer, lot, 10_500), refused)
  t.match(await dealer.put(`/api/inventory/${nextLot}/preset`, { amount: 15_000 }), refused)
  t.equal((await dealer.get('/api/inventory')).status, 200, 'reading is still allowed')
  t.equal((await dealer.post(`/api/inventory/${postId}/comments`, { content: 'Still there?' })).status, 201)

  t.equal((await dealer.post('/api/auth/email/resend')).status, 204)
  const { text } = await mailTo(app, await emailOf(dealer), /Confirm your email/)
  const token = /token=([\w-]+)/.exec(text)?.[1]
  t.equal((await dealer.post('/api/auth/email/verify', { token })).status, 204)
  t.equal((await dealer.post('/api/inventory', aPost())).status, 201)
  t.equal((await offer()).status, 201)
  t.equal((await bid(dealer, lot, 10_500)).status, 201)
})

t.test('refuses every other way to post, bid or offer while the address is unconfirmed', async (t) => {
  const [other, dealer] = [await signInBuyer(app, 'Confirmed Cars'), await signIn('Unconfirmed Cars')]
  const vehicleOf = async (postId: string) =>
    (await dealer.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]
  const vehicle = { ...aVehicle, vin: '1FTFW1E55MFA48213' }
  const own = await publish(dealer, { title: 'Auction soon: 2021 Ford F-150', vehicles: [vehicle] })
  const { id } = (await vehicleOf(own)) ?? {}
  const ended = await publishAuction(dealer)
  await dealer.post(`/api/inventory/${ended}/auction/end`, { reason: 'Sold on the lot' })
  const pending = await publish(dealer)
  const { id: pendingId } = (await vehicleOf(pending)) ?? {}
  await dealer.patch(`/api/inventory/${pending}`, { vehicle: { id: pendingId, status: 'pending' } })
  const spreadsheetUrl = 'https://sheets.example/list.csv'
  const sheet = await publish(dealer, { type: 'spreadsheet', vehicles: [], spreadsheetUrl })
  const lot = await publishAuction(other)
  const offerOn = async (by: Caller, postId: string) => {
    const vehicleId = (await vehicleOf(postId))?.id
    return (await by.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })).body.id
  }
  const countered = await offerOn(dealer, await publish(other))
  await other.post(`/api/offers/${countered}/counter`, { amount: 31_000 })
  const received = await offerOn(other, own)
  await other.post('/api/buy-orders', aBuyOrder({ price: 31_000 }))
  const { year, make, model, mileage, vin } = vehicle
  const demand = await dealer.post<Demand>('/api/demand', { vin, year, make, model, mileage, trim: '', zip: '' })
  const ref = demand.body.orders[0]?.ref
  t.ok(ref)

  await setRule(true)
  t.teardown(() => setRule(false))
  const edit = (change: object, postId = own) => dealer.patch(`/api/inventory/${postId}`, change)
  const civic = { ...aVehicle, vin: '2HGES16575H591234', make: 'Honda', model: 'Civic' }
  const ways: Record<string, () => Promise<Answer>> = {
    'switches bidding on': () => edit({ auction: { startAmount: 500 } }),
    'adds a vehicle': () => edit({ vehicleChanges: { added: [civic] } }),
    'turns a vehicle into another one': () => edit({ vehicleChanges: { changed: [{ ...civic, id }] } }),
    'offers a pending vehicle again': () => edit({ vehicle: { id: pendingId, status: 'available' } }, pending),
    'runs an auction again': () => dealer.patch(`/api/inventory/${ended}/auction`, { startAmount: 500 }),
    'reads a sheet again': () => dealer.post(`/api/inventory/${sheet}/sheet`),
    'sets a maximum': () => setMaximum(dealer, lot, 12_000),
    'counters as buyer': () => dealer.post(`/api/offers/${countered}/counter`, { amount: 30_500 }),
    'counters as seller': () => dealer.post(`/api/offers/${received}/counter`, { amount: 31_500 }),
    'offers a vehicle to a buy order': () => dealer.post('/api/demand/offer', { ref, vehicleId: id }),
  }
  for (const [name, act] of Object.entries(ways))
    t.match(await act(), { status: 403, body: { error: { code: 'email_unconfirmed' } } }, name)
  t.equal((await edit({ description: 'One owner' })).status, 200, 'text can be edited')
})
