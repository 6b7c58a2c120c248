import t from 'tap'
import type { Dashboard, SalesAnalytics } from '#shared/schemas/dashboard.ts'
import { dealStages } from '#shared/constants/deals.ts'
import type { Deal, DealCounts, DealDetail, DealPipelinePage, DealStage, Offer } from '#shared/schemas/deals.ts'
import { nextActOf, stageOf } from '#shared/deal-rules.ts'
import type { Paper } from '#server/features/deals/paper-text.ts'
import { drawInThread } from '#server/features/deals/paper-drawing.ts'
import type { Found } from '#shared/schemas/search.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Review, ReviewsPage } from '#shared/schemas/reviews.ts'
import { startApp, type Caller, type TestApp } from '../../support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { lettersOf } from '../../support/deals.ts'
import { publish } from '../../support/factories.ts'
import { until } from '../../support/wait.ts'
import { acceptOffer } from '#tests/support/deals.ts'

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
  const { body } = await acceptOffer(seller, offer.body.id)
  return { seller, buyer, postId, dealId: body.dealId ?? '' }
}

const sign = (caller: Caller, dealId: string, name: string) =>
  caller.post<DealDetail>(`/api/deal/${dealId}/documents/bill_of_sale/signature`, { name })

t.test('turns a countered and accepted offer into a pending deal and takes the vehicle off the market', async (t) => {
  const [seller, buyer, third] = [await app.signIn('Seller'), await app.signIn('Buyer'), await app.signIn('Third')]
  const { postId, vehicleId, offer } = await offerOn(buyer, seller)
  t.equal(offer.status, 201)
  t.match(offer.body, { amount: 30_000, turn: 'seller', status: 'open', askingPrice: 31_900 })
  const again = await buyer.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_500 })
  t.equal(again.status, 409, 'one open offer per vehicle')
  const other = await third.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 29_000 })
  t.equal((await acceptOffer(third, offer.body.id)).status, 404, 'other dealers cannot see it')
  t.equal((await acceptOffer(buyer, offer.body.id)).status, 403, "it is the seller's turn")
  t.equal((await seller.post(`/api/offers/${offer.body.id}/counter`, {})).status, 400, 'a counter needs an amount')
  await seller.post(`/api/offers/${offer.body.id}/counter`, { amount: 31_000 })
  const accepted = await acceptOffer(buyer, offer.body.id)
  t.match(accepted.body, { status: 'accepted', amount: 31_000 })
  t.match((await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body, [{ price: 31_000, status: 'pending' }])
  const post = (await third.get<PostDetail>(`/api/inventory/${postId}`)).body
  t.match(post, { availableCount: 0, vehicles: [{ status: 'pending' }] })
  t.match((await third.get<Offer[]>('/api/offers')).body, [{ id: other.body.id, status: 'declined' }])
  t.same((await third.get('/api/offers?open=true')).body, [])
  t.equal((await third.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 40_000 })).status, 409)
})

t.test('refuses offers on your own vehicle and ends withdrawn ones', async (t) => {
  await askForPlans(t, app)
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const { postId, vehicleId, offer: made } = await offerOn(buyer, seller)
  t.equal((await seller.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 1 })).status, 403)
  t.equal((await buyer.post(`/api/offers/${made.body.id}/withdraw`, {})).status, 200)
  t.equal((await acceptOffer(seller, made.body.id)).status, 409)
  const offer = (caller: Caller, amount: number) =>
    caller.post(`/api/inventory/${postId}/offers`, { vehicleId, amount })
  for (const amount of [-1, 0, 30_000.005, 1e15]) t.equal((await offer(buyer, amount)).status, 400, String(amount))
  const unpaid = await offer(await app.signIn('No Plan', { plan: null }), 30_000)
  t.equal(unpaid.status, 402)
  t.match(unpaid.body, { error: { message: 'Subscribe to the Basic Plan or higher to make offers' } })
})

t.test('approves, signs and completes a deal, and updates papers, counts and the vehicle', async (t) => {
  const { seller, buyer, dealId, postId } = await aDeal(app)
  const stranger = await app.signIn('Stranger')
  t.equal((await buyer.post(`/api/deal/${dealId}/approve`)).status, 409, 'only the seller approves')
  t.equal((await sign(seller, dealId, 'Sam Seller')).status, 409, 'nothing to sign yet')
  t.match((await seller.post<DealDetail>(`/api/deal/${dealId}/approve`)).body, { status: 'approved' })
  t.equal((await buyer.post(`/api/deal/${dealId}/complete`)).status, 409, 'both must sign first')
  await sign(seller, dealId, 'Łukasz Müller')
  await sign(buyer, dealId, 'Юлия → 日本')
  t.equal((await sign(buyer, dealId, 'Юлия → 日本')).status, 409, 'one signature each')
  const deal = await until('the papers', async () => {
    const { body } = await buyer.get<DealDetail>(`/api/deal/${dealId}`)
    return body.documents.length === 2 && body.documents.every((document) => document.ready) ? body : undefined
  })
  const bill = deal.documents.find((document) => document.kind === 'bill_of_sale')
  t.match(bill, { number: /^BOS-\d{4}-\d{6}$/, version: 3 }, 'each signature creates a version')
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
  t.ok(letters.has('□') && !letters.has('日'), 'a box replaces a character missing in the font')
  for (const path of ['', `/documents/${bill?.id}`])
    t.equal((await stranger.get(`/api/deal/${dealId}${path}`)).status, 404, 'strangers cannot see it')
  t.equal((await (await app.signIn('Ops', { role: 'admin' })).get(`/api/deal/${dealId}`)).status, 200, 'admins can')
  t.equal((await stranger.get(`/api/deals/${seller.id}`)).status, 403)
  t.match((await buyer.post<DealDetail>(`/api/deal/${dealId}/complete`)).body, { status: 'completed' })
  t.equal((await seller.post(`/api/deal/${dealId}/cancel`)).status, 409, 'a completed deal cannot be cancelled')
  t.match((await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body, {
    status: 'sold',
    dealer: { dealsCompleted: 1 },
  })
  t.same(
    (await buyer.get<DealDetail>(`/api/deal/${dealId}`)).body.steps.map(({ kind }) => kind),
    ['offered', 'accepted', 'approved', 'signed_bill_of_sale', 'signed_bill_of_sale', 'completed'],
  )
})

t.test('draws a paper off the main thread', async (t) => {
  const at = new Date('2026-11-25T12:00:00Z')
  const party = (role: string, name: string) => ({
    role,
    name,
    dealershipName: `${name} Motors`,
    address: 'Dallas, TX',
    license: 'P12345',
    signature: { name, address: '127.0.0.1', signedAt: at },
  })
  const paper: Paper = {
    kind: 'odometer',
    number: 'ODO-2026-000001',
    version: 1,
    issuedAt: at,
    vehicle: {
      title: '2021 Ford F-150',
      vin: '1FTFW1E50MFA00001',
      mileage: '48,210 miles',
      color: 'Blue',
      location: '',
    },
    price: '$31,900',
    parties: [party('Seller', 'Łukasz Żak'), party('Buyer', 'Dana Torres')],
  }
  await drawInThread(paper)
  let turns = 0
  let isDrawn = false
  const turn = () => {
    turns += 1
    if (!isDrawn) setImmediate(turn)
  }
  setImmediate(turn)
  const pdf = await drawInThread(paper)
  isDrawn = true
  t.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  t.ok(lettersOf(pdf).has('Ł'))
  t.ok(turns > 50, `the main thread had ${turns} turns meanwhile`)
  const broken = drawInThread({ ...paper, issuedAt: 'never' } as never)
  await t.rejects(broken, 'an error reaches the caller')
  t.ok((await drawInThread(paper)).equals(pdf), 'the same paper has the same bytes, also after an error')
  const [long, number] = ['Wm '.repeat(70), 'BOS-2026-000001']
  const named = { name: long.slice(0, 120), dealershipName: long.slice(0, 160), address: long }
  const signed = { ...party('Seller', named.name), ...named }
  const vehicle = { ...paper.vehicle, title: named.name, location: named.name }
  const wordy = await drawInThread({ ...paper, number, kind: 'bill_of_sale', vehicle, parties: [signed, signed] })
  t.equal(wordy.toString('latin1').match(/\/Type \/Page\n/g)?.length, 1, 'the longest names fit on one page')
})

t.test('lets either party cancel, and offers the vehicle again', async (t) => {
  const { buyer, dealId, postId } = await aDeal(app)
  t.match((await buyer.post<DealDetail>(`/api/deal/${dealId}/cancel`)).body, { status: 'cancelled' })
  t.match((await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body, { availableCount: 1 })
  t.equal((await buyer.post(`/api/deal/${dealId}/cancel`)).status, 409)
})

const pipelineOf = async (who: Caller, stage: DealStage, query = ''): Promise<DealPipelinePage> =>
  (await who.get<DealPipelinePage>(`/api/deals/pipeline?stage=${stage}${query}`)).body

const countsOf = async (who: Caller, query = ''): Promise<DealCounts> =>
  (await who.get<DealCounts>(`/api/deals/counts${query}`)).body

/** Returns the stage of the dealer's only deal or offer. Checks that the list, the counts and the deal's page agree. */
async function standingOf(who: Caller): Promise<string> {
  const counts = await countsOf(who)
  const shown: string[] = []
  for (const stage of dealStages) {
    const { items } = await pipelineOf(who, stage)
    t.equal(counts[stage], items.length, stage)
    for (const { deal, next, waitsFor } of items) {
      shown.push([stage, deal ? 'deal' : 'offer', next, waitsFor].join(' '))
      if (!deal) continue
      const { body } = await who.get<DealDetail>(`/api/deal/${deal.id}`)
      const itself = { next: nextActOf(body), waitsFor: body.waitsFor, stage: stageOf(body) }
      t.same(itself, { next, waitsFor, stage }, 'the deal itself agrees')
    }
  }
  return shown.join(', ')
}

t.test('shows whose turn it is in list, counts and deal, from an offer to both reviews', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors', { plan: 'premium' }), await app.signIn('Buyer Cars')]
  const stands = async (sells: string, buys: string) =>
    t.same([await standingOf(seller), await standingOf(buyer)], [sells, buys])
  await stands('', '')
  const { offer } = await offerOn(buyer, seller)
  await stands('turn offer answer ', 'waiting offer  answer')
  await seller.post(`/api/offers/${offer.body.id}/counter`, { amount: 31_000 })
  await stands('waiting offer  answer', 'turn offer answer ')
  const { dealId } = (await acceptOffer(buyer, offer.body.id)).body
  await stands('turn deal approve ', 'waiting deal  approve')
  await app.server.ctx.db.updateTable('deals').set({ mileage: null }).execute()
  await seller.post(`/api/deal/${dealId}/approve`)
  await stands('turn deal mileage sign', 'turn deal sign mileage')
  await seller.put(`/api/deal/${dealId}/mileage`, { mileage: 48_210 })
  await stands('turn deal sign sign', 'turn deal sign sign')
  const signs = (who: Caller, kind: string) =>
    who.post(`/api/deal/${dealId}/documents/${kind}/signature`, { name: 'A Dealer' })
  for (const kind of ['bill_of_sale', 'odometer']) await signs(seller, kind)
  await stands('waiting deal  sign', 'turn deal sign ')
  await signs(buyer, 'bill_of_sale')
  await stands('waiting deal  complete', 'turn deal complete ')
  await buyer.post(`/api/deal/${dealId}/complete`)
  await stands('completed deal review ', 'completed deal review ')
  await buyer.post(`/api/deal/${dealId}/reviews`, { rating: 5, content: 'Paid at once' })
  await stands('completed deal review ', 'completed deal  ')
})

t.test('asks for signatures by the plans of both dealers, in lists and deals', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Cars')]
  const { offer } = await offerOn(buyer, seller)
  const { dealId } = (await acceptOffer(seller, offer.body.id)).body
  await seller.post(`/api/deal/${dealId}/approve`)
  for (const who of [seller, buyer])
    await who.post(`/api/deal/${dealId}/documents/odometer/signature`, { name: 'A Dealer' })
  const { db } = app.server.ctx
  const has = (who: Caller, planId: string, status: 'active' | 'past_due') =>
    db.updateTable('subscriptions').set({ planId, status }).where('dealerId', '=', who.id).execute()
  const both = async () => [await standingOf(seller), await standingOf(buyer)]
  const [done, toSign] = [
    ['waiting deal  complete', 'turn deal complete '],
    ['turn deal sign sign', 'turn deal sign sign'],
  ]
  t.same(await both(), done, 'no plan includes the bill of sale')
  for (const who of [seller, buyer]) {
    await has(who, 'enterprise', 'active')
    t.same(await both(), toSign)
    await has(who, 'premium', 'past_due')
    t.same(await both(), done, 'the plan is past due')
    await has(who, 'basic', 'active')
  }
})

t.test("searches and pages a dealer's own deals by stage, with a photo", async (t) => {
  const { seller, buyer, dealId, postId } = await aDeal(app)
  const more = [await offerOn(buyer, seller, 20_000), await offerOn(buyer, seller, 21_000)]
  const third = await app.signIn('Third Autos')
  await offerOn(third, seller)
  t.same(await countsOf(seller), { turn: 4, waiting: 0, completed: 0, cancelled: 0 })
  t.same(await countsOf(seller, '?q=buyer+CARS'), { turn: 3, waiting: 0, completed: 0, cancelled: 0 })
  const found = async (q: string) => (await pipelineOf(seller, 'turn', `&q=${encodeURIComponent(q)}`)).items.length
  const deal = (await pipelineOf(seller, 'turn')).items.find((item) => item.deal)?.deal
  t.same(
    [
      await found(deal?.vin?.slice(-6).toLowerCase() ?? '?'),
      await found('ford f-'),
      await found('third'),
      await found('%'),
      await found('cars  f-150'),
    ],
    [4, 4, 1, 0, 3],
    'every word must match, in any field',
  )
  const everywhere = async (q: string) => (await seller.get<Found>(`/api/search?q=${q}`)).body.deals
  t.match(await everywhere('f-150+cars'), [{ id: dealId }], 'the global search finds the same deals')
  t.same(await everywhere('f-150+third'), [])

  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: DealPipelinePage = await pipelineOf(seller, 'turn', `&limit=1${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.items.map((item) => item.deal?.id ?? item.offer?.id ?? ''))
    cursor = page.nextCursor
  }
  t.same(
    seen.slice(1, 4),
    [more[1]?.offer.body.id, more[0]?.offer.body.id, dealId],
    'each once, the latest change first',
  )
  t.equal(seen.length, 4)

  const { db } = app.server.ctx
  const photoOf = async () => (await pipelineOf(buyer, 'waiting')).items.find((item) => item.deal)?.photo
  t.equal(await photoOf(), null)
  await db.insertInto('photos').values({ postId, position: 0, url: '/api/objects/one' }).execute()
  t.equal(await photoOf(), '/api/objects/one')
  await db.updateTable('posts').set({ hiddenAt: new Date() }).where('id', '=', postId).execute()
  t.equal(await photoOf(), null, 'a hidden post shows no photo')

  await buyer.post(`/api/deal/${dealId}/cancel`)
  for (const { offer } of more) await seller.post(`/api/offers/${offer.body.id}/decline`, {})
  t.same(await countsOf(buyer), { turn: 0, waiting: 0, completed: 0, cancelled: 3 })
  t.same(await countsOf(third), { turn: 0, waiting: 1, completed: 0, cancelled: 0 }, 'only their own offer')
  t.equal((await pipelineOf(third, 'cancelled')).items.length, 0)
  for (const path of ['counts', 'pipeline?stage=turn'])
    t.equal((await app.visitor.get(`/api/deals/${path}`)).status, 401)
  for (const query of ['stage=all', 'stage=turn&cursor=nowhere', 'stage=turn&limit=101', ''])
    t.equal((await seller.get(`/api/deals/pipeline?${query}`)).status, 400, query)
})

t.test('accepts one review from each party of a completed deal and rates by the mean', async (t) => {
  const { seller, buyer, dealId } = await aDeal(app)
  const review = (who: Caller, rating: number) =>
    who.post<Review>(`/api/deal/${dealId}/reviews`, { rating, content: 'Paid at once' })
  t.equal((await review(buyer, 5)).status, 409, 'not before completion')
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
  t.equal((await review(seller, 5)).status, 201, 'the other party as well')
  t.equal((await buyer.post(`/api/reviews/${first.body.id}/reply`, { content: 'Mine' })).status, 403)
  t.match((await seller.post(`/api/reviews/${first.body.id}/reply`, { content: 'Thank you' })).body, {
    reply: 'Thank you',
  })
  t.equal((await seller.post(`/api/reviews/${first.body.id}/reply`, { content: 'Again' })).status, 409)
  t.match((await buyer.get<ReviewsPage>(`/api/dealers/${seller.id}/reviews`)).body, { rating: 4, count: 1, any: true })
})

const dashboardOf = async (caller: Caller) => (await caller.get<Dashboard>('/api/dashboard')).body

t.test("counts a dealer's own sales and activity in the side columns", async (t) => {
  const nothing = {
    activity: { days: 30, profileViews: 0, postImpressions: 0, newConnections: 0 },
    sales: { sold: 0, pending: 0, near: 0 },
  }
  const { seller, buyer, dealId } = await aDeal(app)
  const busy = await aDeal(app)
  await busy.seller.post(`/api/deal/${busy.dealId}/approve`)
  t.match(await dashboardOf(seller), { sales: { sold: 0, pending: 1, near: 0 } })
  t.match(await dashboardOf(busy.seller), { sales: { sold: 0, pending: 0, near: 1 } }, 'approved')
  await seller.post(`/api/deal/${dealId}/approve`)
  await sign(seller, dealId, 'Sam Seller')
  await sign(buyer, dealId, 'Bea Buyer')
  await buyer.post(`/api/deal/${dealId}/complete`)
  await buyer.post(`/api/dealers/${seller.id}/connect`)
  await buyer.get(`/api/dealers/${seller.id}`)
  await until('the profile view', async () => (await dashboardOf(seller)).activity.profileViews === 1)
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
