import { inflateSync } from 'node:zlib'
import t from 'tap'
import type { Dashboard, SalesAnalytics } from '#shared/schemas/dashboard.ts'
import type { Deal, DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Review, ReviewsPage } from '#shared/schemas/reviews.ts'
import { startApp, type Caller, type TestApp } from '../../support/app.ts'
import { publish } from '../../support/factories.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

async function offerOn(buyer: Caller, seller: Caller, amount = 30_000) {
  const postId = await publish(seller)
  const { body: post } = await buyer.get<PostDetail>(`/api/inventory/${postId}`)
  const vehicleId = post.vehicles[0]?.id ?? ''
  const offer = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount })
  return { postId, vehicleId, offer }
}

async function aDeal(app: TestApp) {
  const [seller, buyer] = [await app.signIn('Seller Motors', { plan: 'premium' }), await app.signIn('Buyer Cars')]
  const { offer, postId } = await offerOn(buyer, seller)
  const { body } = await seller.post<Offer>(`/api/offers/${offer.body.id}/accept`, {})
  return { seller, buyer, postId, dealId: body.dealId ?? '' }
}

const sign = (caller: Caller, dealId: string, name: string) =>
  caller.post<DealDetail>(`/api/deal/${dealId}/documents/bill_of_sale/signature`, { name })

/** Every letter that the fonts inside a PDF say they draw. */
function lettersOf(pdf: Buffer): Set<string> {
  const letters = new Set<string>()
  for (const part of pdf.toString('latin1').split('stream\n')) {
    let text = ''
    try {
      text = inflateSync(Buffer.from(part, 'latin1')).toString('latin1')
    } catch {
      continue // Not the beginning of a stream.
    }
    const [, map = ''] = /beginbfrange(.*)endbfrange/s.exec(text) ?? []
    for (const [, code = ''] of map.matchAll(/<([0-9a-f]{4})>/g)) letters.add(String.fromCodePoint(parseInt(code, 16)))
  }
  return letters
}

t.test('an offer is countered, accepted and becomes a pending deal; the vehicle leaves the market', async (t) => {
  const [seller, buyer, third] = [await app.signIn('Seller'), await app.signIn('Buyer'), await app.signIn('Third')]
  const { postId, vehicleId, offer } = await offerOn(buyer, seller)
  t.equal(offer.status, 201)
  t.match(offer.body, { amount: 30_000, turn: 'seller', status: 'open', askingPrice: 31_900 })
  const again = await buyer.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_500 })
  t.equal(again.status, 409, 'one open offer per vehicle')
  const other = await third.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 29_000 })
  t.equal((await third.post(`/api/offers/${offer.body.id}/accept`, {})).status, 404, 'others learn nothing of it')
  t.equal((await buyer.post(`/api/offers/${offer.body.id}/accept`, {})).status, 403, 'the buyer waits')
  t.equal((await seller.post(`/api/offers/${offer.body.id}/counter`, {})).status, 400, 'a counter has an amount')
  await seller.post(`/api/offers/${offer.body.id}/counter`, { amount: 31_000 })
  const accepted = await buyer.post<Offer>(`/api/offers/${offer.body.id}/accept`, {})
  t.match(accepted.body, { status: 'accepted', amount: 31_000 })
  t.match((await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body, [{ price: 31_000, status: 'pending' }])
  const post = (await third.get<PostDetail>(`/api/inventory/${postId}`)).body
  t.match(post, { availableCount: 0, vehicles: [{ status: 'pending' }] })
  t.match((await third.get<Offer[]>('/api/offers')).body, [{ id: other.body.id, status: 'declined' }])
  t.equal((await third.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 40_000 })).status, 409)
})

t.test('nobody offers on their own vehicle, and a withdrawn offer is over', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const { postId, vehicleId, offer: made } = await offerOn(buyer, seller)
  t.equal((await seller.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 1 })).status, 403)
  t.equal((await buyer.post(`/api/offers/${made.body.id}/withdraw`, {})).status, 200)
  t.equal((await seller.post(`/api/offers/${made.body.id}/accept`, {})).status, 409)
  const offer = (caller: Caller, amount: number) =>
    caller.post(`/api/inventory/${postId}/offers`, { vehicleId, amount })
  for (const amount of [-1, 0, 30_000.005, 1e15]) t.equal((await offer(buyer, amount)).status, 400, String(amount))
  const unpaid = await offer(await app.signIn('No Plan', { plan: null }), 30_000)
  t.equal(unpaid.status, 402)
  t.match(unpaid.body, { error: { message: 'Subscribe to the Basic Plan or a larger one to make offers' } })
})

t.test('seller approves, both sign, the buyer completes: papers, counters and the vehicle follow', async (t) => {
  const { seller, buyer, dealId, postId } = await aDeal(app)
  const stranger = await app.signIn('Stranger')
  t.equal((await buyer.post(`/api/deal/${dealId}/approve`)).status, 409, 'not the buyer’s to approve')
  t.equal((await sign(seller, dealId, 'Sam Seller')).status, 409, 'there is nothing to sign yet')
  t.match((await seller.post<DealDetail>(`/api/deal/${dealId}/approve`)).body, { status: 'approved' })
  t.equal((await buyer.post(`/api/deal/${dealId}/complete`)).status, 409, 'not before both have signed')
  await sign(seller, dealId, 'Łukasz Müller')
  await sign(buyer, dealId, 'Юлия → 日本')
  t.equal((await sign(buyer, dealId, 'Юлия → 日本')).status, 409, 'once each')
  const deal = await until('the papers', async () => {
    const { body } = await buyer.get<DealDetail>(`/api/deal/${dealId}`)
    return body.documents.length === 2 && body.documents.every((document) => document.ready) ? body : undefined
  })
  const bill = deal.documents.find((document) => document.kind === 'bill_of_sale')
  t.match(bill, { number: /^BOS-\d{4}-\d{6}$/, version: 3 }, 'each signature makes a version')
  t.match(
    deal.signatures.map(({ name, address }) => ({ name, address })),
    [
      { name: 'Łukasz Müller', address: '127.0.0.1' },
      { name: 'Юлия → 日本', address: '127.0.0.1' },
    ],
  )
  const pdf = await fetch(`${app.url}/api/deal/${dealId}/documents/${bill?.id}`, { headers: { cookie: buyer.cookie } })
  t.equal(pdf.headers.get('content-type'), 'application/pdf')
  const letters = lettersOf(Buffer.from(await pdf.arrayBuffer()))
  for (const letter of 'Łukasz MüllerЮлия→') t.ok(letters.has(letter), letter)
  t.ok(letters.has('□') && !letters.has('日'), 'a box for what the font has not')
  for (const path of ['', `/documents/${bill?.id}`])
    t.equal((await stranger.get(`/api/deal/${dealId}${path}`)).status, 404, 'not for strangers')
  t.equal((await (await app.signIn('Ops', { role: 'admin' })).get(`/api/deal/${dealId}`)).status, 200, 'for admins')
  t.equal((await stranger.get(`/api/deals/${seller.id}`)).status, 403)
  t.match((await buyer.post<DealDetail>(`/api/deal/${dealId}/complete`)).body, { status: 'completed' })
  t.equal((await seller.post(`/api/deal/${dealId}/cancel`)).status, 409, 'what is completed stays')
  t.match((await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body, {
    status: 'sold',
    dealer: { dealsCompleted: 1 },
  })
  t.same(
    (await buyer.get<DealDetail>(`/api/deal/${dealId}`)).body.steps.map(({ kind }) => kind),
    ['offered', 'accepted', 'approved', 'signed_bill_of_sale', 'signed_bill_of_sale', 'completed'],
  )
})

t.test('either party may cancel, and the vehicle is for sale again', async (t) => {
  const { buyer, dealId, postId } = await aDeal(app)
  t.match((await buyer.post<DealDetail>(`/api/deal/${dealId}/cancel`)).body, { status: 'cancelled' })
  t.match((await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body, { availableCount: 1 })
  t.equal((await buyer.post(`/api/deal/${dealId}/cancel`)).status, 409)
})

t.test('both parties review a completed deal once; the rating is the mean', async (t) => {
  const { seller, buyer, dealId } = await aDeal(app)
  const review = (who: Caller, rating: number) =>
    who.post<Review>(`/api/deal/${dealId}/reviews`, { rating, content: 'Paid at once' })
  t.equal((await review(buyer, 5)).status, 409, 'not before it is completed')
  t.match((await buyer.get<ReviewsPage>(`/api/dealers/${seller.id}/reviews`)).body, { reviews: [], any: false })
  await seller.post(`/api/deal/${dealId}/approve`)
  await sign(seller, dealId, 'Sam Seller')
  await sign(buyer, dealId, 'Bea Buyer')
  await buyer.post(`/api/deal/${dealId}/complete`)
  const first = await review(buyer, 4)
  t.equal(first.status, 201)
  t.equal((await review(buyer, 5)).status, 409, 'once')
  t.equal((await review(await app.signIn('Stranger'), 1)).status, 404)
  t.equal((await review(seller, 6)).status, 400)
  t.equal((await review(seller, 5)).status, 201, 'the other side as well')
  t.equal((await buyer.post(`/api/reviews/${first.body.id}/reply`, { content: 'Mine' })).status, 403)
  t.match((await seller.post(`/api/reviews/${first.body.id}/reply`, { content: 'Thank you' })).body, {
    reply: 'Thank you',
  })
  t.equal((await seller.post(`/api/reviews/${first.body.id}/reply`, { content: 'Again' })).status, 409)
  t.match((await buyer.get<ReviewsPage>(`/api/dealers/${seller.id}/reviews`)).body, { rating: 4, count: 1, any: true })
})

const dashboardOf = async (caller: Caller) => (await caller.get<Dashboard>('/api/dashboard')).body

t.test('the side columns count the caller’s own sales and activity, and nobody else’s', async (t) => {
  const nothing = {
    activity: { days: 30, profileViews: 0, postImpressions: 0, newConnections: 0 },
    sales: { sold: 0, pending: 0, near: 0 },
  }
  const { seller, buyer, dealId } = await aDeal(app)
  const busy = await aDeal(app)
  await busy.seller.post(`/api/deal/${busy.dealId}/approve`)
  t.match(await dashboardOf(seller), { sales: { sold: 0, pending: 1, near: 0 } })
  t.match(await dashboardOf(busy.seller), { sales: { sold: 0, pending: 0, near: 1 } }, 'agreed')
  await seller.post(`/api/deal/${dealId}/approve`)
  await sign(seller, dealId, 'Sam Seller')
  await sign(buyer, dealId, 'Bea Buyer')
  await buyer.post(`/api/deal/${dealId}/complete`)
  await buyer.post(`/api/dealers/${seller.id}/connect`)
  await buyer.get(`/api/dealers/${seller.id}`)
  await until('the view of the profile', async () => (await dashboardOf(seller)).activity.profileViews === 1)
  t.match(await dashboardOf(seller), { activity: { newConnections: 0 }, sales: { sold: 1, pending: 0, near: 0 } })
  t.match(await dashboardOf(buyer), { ...nothing, activity: { newConnections: 1 } }, 'the buyer sold nothing')
  t.same(await dashboardOf(await app.signIn('Newcomer')), nothing)

  const sold = (await seller.get<SalesAnalytics>('/api/dashboard/sales/sold')).body
  t.match(sold, { count: 1, total: 30_000, average: 30_000, deals: [{ id: dealId, buyerName: 'Alex Acme' }] })
  t.equal(sold.deals.length, 1)
  t.same(
    sold.months.map(({ count }) => count),
    [0, 0, 0, 0, 0, 1],
  )
  t.match((await busy.seller.get<SalesAnalytics>('/api/dashboard/sales/sold')).body, {
    count: 0,
    average: 0,
    deals: [],
  })
  t.match((await busy.seller.get<SalesAnalytics>('/api/dashboard/sales/near')).body, { deals: [{ id: busy.dealId }] })
  t.equal((await seller.get('/api/dashboard/sales/everything')).status, 400)
  for (const path of ['', '/sales/sold']) t.equal((await app.visitor.get(`/api/dashboard${path}`)).status, 401)
})
