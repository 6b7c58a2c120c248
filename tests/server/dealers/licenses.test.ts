import t from 'tap'
import type { AdminUser, AdminUsersPage } from '#shared/schemas/admin.ts'
import type { CurrentUser, DealerProfile, DirectoryDealer, OwnProfile } from '#shared/schemas/dealers.ts'
import type { Notification } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { bid, publishAuction } from '#tests/support/bidding.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { aDealOn, aDealWith } from '#tests/support/deals.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { aPhoto, upload } from '#tests/support/uploads.ts'

const app = await startApp(t)
const { signIn } = app
const admin = await signIn('Lanewire', { role: 'admin' })

const aLicense = { number: 'TX-4711', state: 'TX', expiresOn: '2044-12-31', scan: null }

const send = (dealer: Caller, license: object = aLicense) => dealer.patch<OwnProfile>('/api/profile', { license })
const userOf = async ({ id }: Caller) => (await admin.get<AdminUser>(`/api/admin/users/${id}`)).body
const judge = async (dealer: Caller, verdict: object, submittedAt?: string) =>
  admin.post<AdminUser>(`/api/admin/users/${dealer.id}/license`, {
    submittedAt: submittedAt ?? (await userOf(dealer)).license.submittedAt,
    ...verdict,
  })
const waits = async (dealer: Caller) =>
  (await admin.get<AdminUsersPage>('/api/admin/users?state=unverified')).body.users.some(({ id }) => id === dealer.id)

t.test('shows a license from the profile in the queue and, once verified, everywhere', async (t) => {
  const [dealer, reader] = [await signIn('Verified Motors', { name: 'Vera Verified' }), await signIn('Reader')]
  const postId = await publish(dealer)
  const shown = async () => {
    const profile = (await reader.get<DealerProfile>(`/api/dealers/${dealer.id}`)).body.verified
    const rows = (await reader.get<DirectoryDealer[]>('/api/dealers?name=Verified Motors')).body
    const post = (await reader.get<PostDetail>(`/api/inventory/${postId}`)).body.dealer.verified
    return [profile, rows.find(({ id }) => id === dealer.id)?.verified, post]
  }
  t.equal(await waits(dealer), false)
  t.match((await send(dealer)).body.license, { ...aLicense, status: 'waiting', reason: '' })
  t.equal(await waits(dealer), true)
  t.same(await shown(), [false, false, false])
  const tab = await dealer.live()
  const heard = tab.nextEvent('inbox.changed', ({ what }) => what === 'profile')
  t.match((await judge(dealer, { verdict: 'verified' })).body.license, { status: 'verified' })
  await heard
  t.same(await shown(), [true, true, true])
  t.equal((await dealer.get<CurrentUser>('/api/auth/me')).body.verified, true)
  t.equal(await waits(dealer), false)
  const { items } = (await dealer.get<{ items: Notification[] }>('/api/notifications')).body
  t.match(items[0], { title: 'Your dealer license is verified', path: '/profile-edit#license' })
  t.equal((await judge(dealer, { verdict: 'verified' })).status, 409)

  t.equal((await send(dealer)).body.license.status, 'verified', 'sending the same license again changes nothing')
  t.equal(
    (await send(dealer, { ...aLicense, number: 'TX-4712' })).body.license.status,
    'waiting',
    'a new number needs verification again',
  )
  t.same(await shown(), [false, false, false])
  t.equal(
    (await dealer.patch('/api/profile', { city: 'Waco' })).status,
    200,
    'a profile without license fields keeps the license',
  )
  t.equal((await userOf(dealer)).license.number, 'TX-4712')
  t.equal((await send(dealer, { ...aLicense, number: '' })).body.license.status, 'none')
})

t.test('shows the reason of a rejection to its dealer only and the number nowhere', async (t) => {
  const [dealer, reader] = [await signIn('Rejected Motors'), await signIn('Reader')]
  await send(dealer)
  t.equal((await judge(dealer, { verdict: 'rejected' })).status, 400, 'a reason is required')
  t.equal((await judge(dealer, { verdict: 'rejected', reason: 'The number is not on record' })).status, 200)
  t.match((await dealer.get<OwnProfile>('/api/profile')).body.license, {
    status: 'rejected',
    reason: 'The number is not on record',
  })
  const { items } = (await dealer.get<{ items: Notification[] }>('/api/notifications')).body
  t.match(items[0], { title: 'Your dealer license was rejected', body: 'The number is not on record' })
  t.match((await reader.get(`/api/dealers/${dealer.id}`)).body, { licenseNumber: null, verified: false })
  t.equal(await waits(dealer), false)
  await send(dealer, { ...aLicense, number: 'TX-9' })
  t.equal(await waits(dealer), true, 'the next license is waiting')
  const looked = (await userOf(dealer)).license.submittedAt ?? ''
  await send(dealer, { ...aLicense, number: 'TX-10' })
  const late = await judge(dealer, { verdict: 'verified' }, looked)
  t.match(late, { status: 409, body: { error: { message: /has since submitted another license/ } } })
  t.equal((await reader.post(`/api/admin/users/${dealer.id}/license`, { verdict: 'verified' })).status, 403)
})

t.test('requires place and future expiry of a license and expires with it', async (t) => {
  const dealer = await signIn('Expiring Motors')
  for (const [wrong, field] of [
    [{ state: 'ZZ' }, 'licenseState'],
    [{ expiresOn: '' }, 'licenseExpiresOn'],
    [{ expiresOn: '2026-02-30' }, 'licenseExpiresOn'],
    [{ expiresOn: '2020-01-01' }, 'licenseExpiresOn'],
  ] as const)
    t.match(await send(dealer, { ...aLicense, ...wrong }), {
      status: 400,
      body: { error: { details: { fields: [field] } } },
    })
  await send(dealer)
  await judge(dealer, { verdict: 'verified' })
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ licenseExpiresOn: '2026-01-01' })
    .where('id', '=', dealer.id)
    .execute()
  t.match((await dealer.get(`/api/dealers/${dealer.id}`)).body, { verified: false })
  t.equal((await dealer.get<OwnProfile>('/api/profile')).body.license.status, 'expired')
})

t.test('reviews a verified license again after a new name, dealership name or state', async (t) => {
  const dealer = await signIn('Renamed Motors', { name: 'Rita Renamed', state: 'TX' })
  await send(dealer)
  const status = async () => (await userOf(dealer)).license.status
  const save = (change: object) => dealer.patch<OwnProfile>('/api/profile', change)
  for (const change of [{ name: 'Rolf Renamed' }, { dealershipName: 'Bought Motors' }, { state: 'OK' }]) {
    await judge(dealer, { verdict: 'verified' })
    t.equal(
      (await save({ phone: '214 555 0100' })).body.license.status,
      'verified',
      'a new phone number does not matter',
    )
    t.equal((await save(change)).body.license.status, 'waiting', JSON.stringify(change))
    t.equal(await waits(dealer), true)
    t.equal((await save(change)).body.license.status, 'waiting')
  }
  t.match((await dealer.get(`/api/dealers/${dealer.id}`)).body, { verified: false })

  const looked = (await userOf(dealer)).license.submittedAt ?? ''
  await save({ dealershipName: 'Sold Again Motors' })
  t.equal((await judge(dealer, { verdict: 'verified' }, looked)).status, 409, 'the admin has read the former name')

  await judge(dealer, { verdict: 'verified' })
  await admin.patch(`/api/admin/users/${dealer.id}`, { name: 'Rolf Renamed Jr' })
  t.equal(await status(), 'verified', 'an admin corrects the name')
  await judge(dealer, { verdict: 'rejected', reason: 'The number is not on record' })
  t.equal(
    (await save({ name: 'Rita Renamed' })).body.license.status,
    'rejected',
    'a new name does not lift a rejection',
  )
})

t.test('reviews a verified license again after a changed onboarding form', async (t) => {
  const dealer = await signIn('Onboarded Motors')
  await send(dealer)
  await judge(dealer, { verdict: 'verified' })
  const { status } = await dealer.post('/api/auth/complete-profile', { ...aProfile, dealershipName: 'Other Motors' })
  t.equal(status, 200)
  t.equal((await userOf(dealer)).license.status, 'waiting')
})

t.test('refuses to verify a license that expired while waiting', async (t) => {
  const dealer = await signIn('Waiting Motors')
  await send(dealer)
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ licenseExpiresOn: '2026-01-01' })
    .where('id', '=', dealer.id)
    .execute()
  t.match(await judge(dealer, { verdict: 'verified' }), { status: 409, body: { error: { message: /has expired/ } } })
  t.same((await dealer.get<{ items: Notification[] }>('/api/notifications')).body.items, [])
  t.equal((await judge(dealer, { verdict: 'rejected', reason: 'It has expired meanwhile' })).status, 200)
})

t.test(
  'shows its scan to the dealer and admins, accepts own uploads only, and deletes it with the license',
  async (t) => {
    const [dealer, other] = [await signIn('Scanned Motors'), await signIn('Other')]
    const { pathname: scan } = new URL(await upload(dealer, await aPhoto(40, 20)), app.url)
    t.equal((await send(other, { ...aLicense, scan })).status, 400)
    t.equal((await send(dealer, { ...aLicense, scan })).body.license.scan, scan)
    const statusFor = async (reader: Caller) => (await reader.get(`${scan}/status`)).status
    t.same([await statusFor(dealer), await statusFor(admin), await statusFor(other)], [200, 200, 404])
    await send(dealer, { ...aLicense, number: '' })
    t.equal(await statusFor(admin), 404)
  },
)

t.test('shows Auction Access and 5 Mil numbers to connections, admins and their dealer', async (t) => {
  const [dealer, other] = [await signIn('Numbered Motors'), await signIn('Other')]
  const numbers = { auctionAccessNumber: '5123456', dealership5MilNumber: '5012345' }
  t.match((await dealer.patch('/api/profile', numbers)).body, numbers)
  const seenBy = async (reader: Caller) =>
    (await reader.get<DealerProfile>(`/api/dealers/${dealer.id}`)).body.tradeNumbers
  t.equal(await seenBy(other), null)
  await other.post(`/api/dealers/${dealer.id}/connect`)
  t.equal(await seenBy(other), null, 'adding a dealer is not a connection yet')
  const [request] = (await dealer.get<{ id: string }[]>(`/api/connections/requests/${dealer.id}`)).body
  await dealer.post(`/api/connections/requests/${request?.id}/accept`)
  t.same(await seenBy(other), numbers)
  t.same(await seenBy(admin), numbers)
  t.same(await seenBy(dealer), numbers)
  for (const path of ['/api/dealers', '/api/inventory', `/api/auth/me`])
    t.notMatch(JSON.stringify((await other.get(path)).body), /5123456|5012345/, path)
})

t.test('limits posting, bids and offers to verified dealers if the network says so', async (t) => {
  const [verified, other] = [await signIn('Verified'), await signIn('Other')]
  await send(verified)
  await judge(verified, { verdict: 'verified' })
  t.match((await admin.get('/api/admin/network')).body, { verifiedOnly: false }, 'off by default')
  t.equal((await other.patch('/api/admin/network', { verifiedOnly: true })).status, 403)
  const own = await publish(other)
  await other.patch(`/api/inventory/${own}`, { status: 'expired' })
  const spreadsheetUrl = 'https://sheets.example/list.csv'
  const listed = await publish(other, { type: 'spreadsheet', vehicles: [], spreadsheetUrl })
  t.match((await admin.patch('/api/admin/network', { verifiedOnly: true })).body, { verifiedOnly: true })
  t.teardown(() => admin.patch('/api/admin/network', { verifiedOnly: false }))
  const refused = { status: 403, body: { error: { code: 'license_required' } } }
  t.match(await other.post('/api/inventory', aPost()), refused)
  t.match(await other.post(`/api/inventory/${own}/relist`), refused)
  t.match(await other.patch(`/api/inventory/${own}`, { status: 'active' }), refused)
  t.match(
    await other.post(`/api/inventory/${listed}/sheet`),
    refused,
    'nor reading a spreadsheet again, which may add vehicles',
  )
  const postId = await publish(verified)
  const vehicleId = (await other.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  t.match(await other.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 }), refused)
  const lot = await publishAuction(verified)
  const answer = await app.server.ctx.db.selectFrom('networkSettings').selectAll().executeTakeFirst()
  t.equal(answer?.verifiedOnly, true)
  t.match(await bid(other, lot, 10_500), refused)
  t.equal((await other.post(`/api/inventory/${postId}/comments`, { content: 'Still there?' })).status, 201)
})

t.test('states a missing license number on the bill of sale before both sign', async (t) => {
  const [seller, buyer] = [await signIn('Seller', { plan: 'premium' }), await signIn('Buyer')]
  const deal = await aDealWith(seller, buyer)
  t.same(deal.withoutLicense, ['seller', 'buyer'])
  await send(seller)
  t.match((await buyer.get(`/api/deal/${deal.id}`)).body, { withoutLicense: ['buyer'] })
  await judge(seller, { verdict: 'rejected', reason: 'Not on record' })
  t.match((await buyer.get(`/api/deal/${deal.id}`)).body, { withoutLicense: ['seller', 'buyer'] })
})

t.test('asks the seller for a missing mileage before the odometer statement', async (t) => {
  const [seller, buyer, third] = [await signIn('Seller'), await signIn('Buyer'), await signIn('Third')]
  const postId = await publish(seller)
  await app.server.ctx.db.updateTable('vehicles').set({ mileage: null }).where('postId', '=', postId).execute()
  const deal = await aDealOn(postId, seller, buyer)
  t.match(deal, { mileage: null, may: { sign: [], giveMileage: true } })
  const { items } = (await seller.get<{ items: Notification[] }>('/api/notifications')).body
  t.ok(items.some(({ title }) => title === 'Enter the mileage so the mileage statement can be signed'))
  const sign = (by: Caller) => by.post(`/api/deal/${deal.id}/documents/odometer/signature`, { name: 'A Name' })
  t.match(await sign(buyer), { status: 409, body: { error: { message: /mileage is missing/ } } })
  const give = (by: Caller, mileage = 48_210) => by.put(`/api/deal/${deal.id}/mileage`, { mileage })
  t.equal((await give(third)).status, 404)
  t.equal((await give(buyer)).status, 403)
  t.equal((await give(seller, -1)).status, 400)
  t.match(await give(seller), {
    status: 200,
    body: { mileage: 48_210, may: { sign: ['odometer'], giveMileage: false } },
  })
  t.equal((await give(seller, 12)).status, 409, 'a stated mileage cannot be changed')
  t.equal((await sign(buyer)).status, 200)
})

t.test('accepts a license through its last day in every time zone', async (t) => {
  const [dealer, seller] = [await signIn('Last Day Motors'), await signIn('Seller Motors')]
  await send(dealer)
  await judge(dealer, { verdict: 'verified' })
  const lot = await publishAuction(seller)
  await admin.patch('/api/admin/network', { verifiedOnly: true })
  t.teardown(() => admin.patch('/api/admin/network', { verifiedOnly: false }))
  /** The date in UTC−12, or `days` before it. */
  const dateThere = (days: number) =>
    new Date(Date.now() - 12 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
  const expire = (licenseExpiresOn: string) =>
    app.server.ctx.db.updateTable('dealers').set({ licenseExpiresOn }).where('id', '=', dealer.id).execute()
  const status = async () => (await dealer.get<OwnProfile>('/api/profile')).body.license.status
  // Midnight in UTC−12 can pass between the requests, but not twice.
  const onLastDay = async (): Promise<unknown[]> => {
    const last = dateThere(0)
    await expire(last)
    const results = [await status(), (await bid(dealer, lot, 10_500)).status]
    return dateThere(0) === last ? results : onLastDay()
  }
  t.same(await onLastDay(), ['verified', 201])
  await expire(dateThere(1))
  t.equal(await status(), 'expired')
  t.match(await bid(dealer, lot, 11_500), { status: 403, body: { error: { code: 'license_required' } } })
})
