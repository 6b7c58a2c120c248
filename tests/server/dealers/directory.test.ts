import { sql } from 'kysely'
import t from 'tap'
import { searchTotalMax } from '#shared/limits.ts'
import type { DirectoryDealer, RecommendedDealer, VehicleActivity } from '#shared/schemas/dealers.ts'
import type { Settings } from '#shared/schemas/account.ts'
import type { Found } from '#shared/schemas/search.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { listTickerLines } from '#server/features/site/ticker.service.ts'
import type { TickerLine } from '#shared/schemas/site.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { publishAuction } from '#tests/support/bidding.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { aDealOn } from '#tests/support/deals.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const namesOf = async (caller: Caller, query = '') =>
  (await caller.get<DirectoryDealer[]>(`/api/dealers${query}`)).body.map(({ name }) => name)

async function aNetwork(app: TestApp) {
  const me = await app.signIn('My Lot', { name: 'Mia Mine', state: 'TX' })
  const ann = await app.signIn('Ann Autos', { name: 'Ann Able', state: 'TX' })
  const ben = await app.signIn('Ben Motors', { name: 'Ben Baker', state: 'ON', city: 'Toronto' })
  const cat = await app.signIn('Cat Cars', { name: 'cat cole', state: 'OH' })
  return { me, ann, ben, cat }
}

t.test('returns an array sorted by name, without the caller, filtered as requested', async (t) => {
  const { me, ben } = await aNetwork(app)
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ buysCanadianVehicles: true, dealershipType: 'wholesaler' })
    .where('id', '=', ben.id)
    .execute()
  t.same(await namesOf(me), ['Ann Able', 'Ben Baker', 'cat cole'])
  t.same(await namesOf(me, '?name=ben%20mot'), ['Ben Baker'])
  t.same(await namesOf(me, '?name=TORONTO'), ['Ben Baker'])
  t.same(await namesOf(me, '?name=%25'), [], 'a wildcard matches itself')
  t.same(await namesOf(me, '?state=TX'), ['Ann Able'])
  t.same(await namesOf(me, '?dealershipType=wholesaler'), ['Ben Baker'])
  t.same(await namesOf(me, '?buysCanadian=yes'), ['Ben Baker'])
  t.same(await namesOf(me, '?buysCanadian=no&state=all&dealershipType=all'), ['Ann Able', 'cat cole'])
  t.same(await namesOf(me, '?name=&state=&dealershipType=&buysCanadian='), ['Ann Able', 'Ben Baker', 'cat cole'])
  t.equal((await me.get('/api/dealers?dealershipType=bank')).status, 400)
  t.equal((await me.get('/api/dealers?cursor=nonsense')).status, 400)
  t.equal((await app.visitor.get('/api/dealers')).status, 401)
})

t.test('matches prefixes with one or two letters, substrings from three, and signs literally', async (t) => {
  const me = await app.signIn('My Lot', { name: 'Mia Mine' })
  await app.signIn('Lone Star Trucks', { name: 'Ann Torres', city: 'El Paso', state: 'TX' })
  await app.signIn("O'Neil_Auto 42%", { name: 'Ben Storm', city: 'Reno', state: 'NV' })
  await app.signIn('R&B Motors', { name: 'Élodie Roy', city: 'Laval', state: 'QC' })
  const named = (name: string, more = '') => namesOf(me, `?name=${encodeURIComponent(name)}${more}`)
  const [ann, ben, elodie] = ['Ann Torres', 'Ben Storm', 'Élodie Roy']
  for (const [name, found] of [
    ['to', [ann]],
    ['LO', [ann]],
    ['pa', [ann]],
    ['s', [ann, ben]],
    ['s t', []],
    ['r t', []],
    ['el p', [ann]],
    ['or', []],
    ['au', [ben]],
    ['ne', [ben]],
    ['42', [ben]],
    ['2%', []],
    ['r&b', [elodie]],
    ['&b', [elodie]],
    ['él', [elodie]],
    ['ÉL', [elodie]],
    ['lo', [ann]],
    ['tor', [ann, ben, elodie]],
    ['orr', [ann]],
    ['%', [ben]],
    ['_', [ben]],
    ['o_', []],
    ['.', []],
    ['[', []],
    ['\\', []],
    ['(', []],
  ] as const)
    t.same(await named(name), found, name)
  t.same(await named('s', '&state=NV'), [ben])
  t.same(await named('s', '&view=discover&limit=1'), [ann])
  t.same(await named('s', '&view=mine'), [])
})

t.test('counts a search up to a thousand and pages through all results', async (t) => {
  const app = await startApp(t)
  const me = await app.signIn('My Lot', { name: 'Mia Mine' })
  // Make the matches sort after many other names.
  await sql`
    insert into dealers (email, name, dealership_name, state, profile_completed_at)
    select 'crowd-' || g || '@dealer.example', case when g > 2100 then 'Zoe ' || g else 'Amy ' || g end,
      case when g > 2100 or g % 100 = 0 then 'Wide Cars' else '' end, case when g > 3300 then 'OH' else 'TX' end, now()
    from generate_series(1, 3320) g`.execute(app.server.ctx.db)
  const totalOf = async (query: string) =>
    Number((await me.get(`/api/dealers?limit=1&${query}`)).headers.get('x-total-count'))
  t.equal(await totalOf(''), 3320, 'without a name everybody is counted')
  t.equal(await totalOf('name=wi'), searchTotalMax + 1, 'one above the limit means that there are more')
  t.equal(await totalOf('name=wide&state=OH'), 20)
  t.equal(await totalOf('name=zoe%203300'), 1)
  await sql`
    insert into connections (dealer_id, other_id)
    select ${me.id}, id from dealers where name like 'Zoe %' and state = 'TX' limit 300`.execute(app.server.ctx.db)
  t.equal(await totalOf('name=wi&view=discover'), 941, 'connections are removed before the list is cut')
  const seen = new Set<string>()
  let path: string | undefined = '/api/dealers?name=wi&limit=100'
  while (path !== undefined) {
    const page: Awaited<ReturnType<typeof me.get<DirectoryDealer[]>>> = await me.get<DirectoryDealer[]>(path)
    for (const { name } of page.body) seen.add(name)
    path = /<(.*)>/.exec(page.headers.get('link') ?? '')?.[1]
  }
  t.equal(seen.size, 1241)
})

t.test('returns everybody once with limit and cursor, and the total', async (t) => {
  const app = await startApp(t)
  const { me } = await aNetwork(app)
  const seen: string[] = []
  let path: string | undefined = '/api/dealers?limit=1'
  while (path !== undefined) {
    const page: Awaited<ReturnType<typeof me.get<DirectoryDealer[]>>> = await me.get<DirectoryDealer[]>(path)
    t.equal(page.headers.get('x-total-count'), '3')
    seen.push(...page.body.map(({ name }) => name))
    path = /<(.*)>/.exec(page.headers.get('link') ?? '')?.[1]
  }
  t.same(seen, ['Ann Able', 'Ben Baker', 'cat cole'])
})

t.test('splits the network into mine and discover', async (t) => {
  const app = await startApp(t)
  const { me, ann } = await aNetwork(app)
  await me.post(`/api/dealers/${ann.id}/connect`)
  t.same(await namesOf(me, '?view=mine'), ['Ann Able'])
  t.same(await namesOf(me, '?view=discover'), ['Ben Baker', 'cat cole'])
  t.equal((await me.get('/api/dealers?view=discover')).headers.get('x-total-count'), '2')
  t.equal((await me.get('/api/dealers?view=mine')).headers.get('x-total-count'), '1')
})

t.test('leaves out hidden, suspended and deleted dealers and staff', async (t) => {
  const { me, ann, ben, cat } = await aNetwork(app)
  await app.signIn('Back office', { name: 'Ada Admin', role: 'admin' })
  await ann.patch('/api/settings', { profileVisibility: false })
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', ben.id).execute()
  t.same(await namesOf(me), ['cat cole'])
  await db.updateTable('dealers').set({ deletedAt: new Date() }).where('id', '=', cat.id).execute()
  t.same(await namesOf(me), [])
  await ann.patch('/api/settings', { profileVisibility: true })
  t.same(await namesOf(me), ['Ann Able'])
  t.same(
    (await me.get<RecommendedDealer[]>('/api/dealers/recommended')).body.map(({ dealer }) => dealer.name),
    ['Ann Able'],
  )
})

t.test('does not count blocked dealers', async (t) => {
  const app = await startApp(t)
  const { me, ann, ben } = await aNetwork(app)
  await me.post(`/api/dealers/${ann.id}/connect`)
  await ben.patch(`/api/chats/${await openChat(ben, me)}`, { blocked: true })
  const countOf = async (query: string) => Number((await me.get(`/api/dealers${query}`)).headers.get('x-total-count'))
  const views = ['all', 'discover', 'mine']
  t.same(await Promise.all(views.map((view) => countOf(`?view=${view}`))), [2, 1, 1])
  await me.patch(`/api/chats/${await openChat(me, ann)}`, { blocked: true })
  t.same(await namesOf(me), ['cat cole'])
  t.same(await Promise.all(views.map((view) => countOf(`?view=${view}`))), [1, 1, 1])
  t.same(await Promise.all(views.map((view) => countOf(`?view=${view}&name=ann`))), [0, 0, 1], 'nor in search results')
})

t.test('counts mutual connections from both networks', async (t) => {
  const { me, ann, ben, cat } = await aNetwork(app)
  for (const other of [ben, cat]) {
    await me.post(`/api/dealers/${other.id}/connect`)
    await ann.post(`/api/dealers/${other.id}/connect`)
  }
  const rows = (await me.get<DirectoryDealer[]>('/api/dealers')).body
  t.same(
    rows.map(({ mutualConnections }) => mutualConnections),
    [2, 0, 0],
  )
  await app.server.ctx.db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', ben.id).execute()
  const counted = [
    ...(await me.get<DirectoryDealer[]>('/api/dealers')).body,
    ...(await me.get<RecommendedDealer[]>('/api/dealers/recommended')).body,
  ].map(({ mutualConnections }) => mutualConnections)
  t.same(counted, [1, 0, 1], 'not a dealer hidden from the reader')
})

t.test('recommends sellers with shared makes, state or connections and says why', async (t) => {
  const { me, ben, cat } = await aNetwork(app)
  const dan = await app.signIn('Dan Deals', { name: 'Dan Dale', state: 'ME' })
  await publish(me)
  await publish(cat, { vehicles: [aVehicle] })
  await publish(dan, { vehicles: [{ ...aVehicle, make: 'Fiat' }] })
  await me.post(`/api/dealers/${ben.id}/connect`)
  const rows = (await me.get<RecommendedDealer[]>('/api/dealers/recommended')).body
  t.same(
    rows.map(({ dealer, why }) => [dealer.name, why]),
    [
      ['cat cole', 'Also trades Ford'],
      ['Ann Able', 'Also in TX'],
    ],
  )
})

t.test('counts watched posts like the watchlist', async (t) => {
  const { me, ann } = await aNetwork(app)
  const [stays, removed, hidden] = [await publish(ann), await publish(ann), await publish(ann)]
  for (const id of [stays, removed, hidden]) await me.put(`/api/inventory/${id}/watch`)
  await ann.delete(`/api/inventory/${removed}`)
  await app.server.ctx.db.updateTable('posts').set({ hiddenAt: new Date() }).where('id', '=', hidden).execute()
  t.same((await me.get<string[]>('/api/watchlist/ids')).body, [stays])
  t.equal((await me.get<VehicleActivity>('/api/dealers/activity')).body.watching, 1)
})

t.test("counts only the caller's own vehicle activity", async (t) => {
  const { me, ann } = await aNetwork(app)
  await publish(me)
  const { db } = app.server.ctx
  const deal = { make: 'Ford', model: 'F-150', priceCents: 100, location: 'Toronto, ON' }
  const completed = {
    status: 'completed',
    createdAt: new Date(Date.now() - 2 * 86_400_000),
    completedAt: new Date(),
  } as const
  await db
    .insertInto('deals')
    .values([
      { ...deal, sellerId: me.id, buyerId: ann.id, status: 'pending' },
      { ...deal, sellerId: me.id, buyerId: ann.id, status: 'approved' },
      { ...deal, ...completed, sellerId: ann.id, buyerId: me.id },
    ])
    .execute()
  const { body } = await me.get<VehicleActivity>('/api/dealers/activity')
  t.same(body, {
    activeListings: 1,
    soldThisMonth: 0,
    pending: 1,
    watching: 0,
    bought: 1,
    fromCanada: 1,
    averageDaysToClose: 2,
  })
  const [row] = (await me.get<DirectoryDealer[]>('/api/dealers?name=ann')).body
  t.equal(row?.previousCanadian, 'seller')
})

t.test('names vehicles of consenting dealers on the public page, without price or dealer', async (t) => {
  const [seller, silent] = [await app.signIn('Secret Motors', { name: 'Sam Secret' }), await app.signIn('Silent Cars')]
  t.equal((await silent.get<Settings>('/api/settings')).body.showOnPublicPage, false, 'off by default')
  await seller.patch('/api/settings', { showOnPublicPage: true })
  await publish(silent, { vehicles: [{ ...aVehicle, make: 'Jeep' }] })
  await publish(seller, { title: 'Call Sam on 555-0100', vehicles: [{ ...aVehicle, trim: 'XLT' }] })
  await publishAuction(seller)
  const sold = await publish(seller, { type: 'multiple', vehicles: [aVehicle, { ...aVehicle, make: 'Toyota' }] })
  await seller.patch(`/api/inventory/${sold}`, { status: 'sold' })
  const { status, body, headers } = await app.visitor.get<TickerLine[]>('/api/activity-ticker')
  t.equal(status, 200)
  t.match(headers.get('cache-control'), /public, max-age/)
  const vehicle = { vehicle: '2021 Ford F-150', state: 'OK' }
  t.same(body, [
    { kind: 'live', ...vehicle },
    { kind: 'sold', ...vehicle },
    { kind: 'active', ...vehicle },
  ])
})

t.test('lists available vehicles of partly sold posts on the public page', async (t) => {
  const seller = await app.signIn('Seller')
  await seller.patch('/api/settings', { showOnPublicPage: true })
  const [ford, jeep] = [aVehicle, { ...aVehicle, make: 'Jeep', model: 'Wrangler' }]
  const set = async (postId: string, place: number, status: string) => {
    const { vehicles } = (await seller.get<PostDetail>(`/api/inventory/${postId}`)).body
    await seller.patch(`/api/inventory/${postId}`, { vehicle: { id: vehicles[place]?.id, status } })
  }
  await set(await publish(seller, { type: 'multiple', vehicles: [ford, jeep] }), 0, 'sold')
  await set(await publish(seller), 0, 'pending')
  const lines = await listTickerLines(app.server.ctx)
  t.same(lines, [{ kind: 'active', vehicle: '2021 Jeep Wrangler', state: 'OK' }])
})

t.test("lists the vehicles of an auction's post that are not auctioned as on offer", async (t) => {
  const seller = await app.signIn('Seller')
  await seller.patch('/api/settings', { showOnPublicPage: true })
  const jeep = { ...aVehicle, make: 'Jeep', model: 'Wrangler' }
  const postId = await publish(seller, {
    title: 'Live auction: two vehicles',
    type: 'multiple',
    vehicles: [aVehicle, jeep],
    auction: { startAmount: 500, reserveAmount: null },
  })
  const [, second] = (await seller.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles
  const live = { kind: 'live', vehicle: '2021 Ford F-150', state: 'OK' }
  t.same(await listTickerLines(app.server.ctx), [live, { kind: 'active', vehicle: '2021 Jeep Wrangler', state: 'OK' }])
  await seller.patch(`/api/inventory/${postId}`, { vehicle: { id: second?.id, status: 'sold' } })
  t.same(await listTickerLines(app.server.ctx), [live], 'the vehicle in the auction is not for sale at a price')
})

t.test('finds dealers, posts, deals and chats in one search, and only those its caller may see', async (t) => {
  const me = await app.signIn('Torres Auto Group', { name: 'Dana Torres' })
  const hector = await app.signIn('Herrera & Sons', { name: 'Hector Herrera', city: 'Tulsa' })
  const third = await app.signIn('Herrera Fleet', { name: 'Luis Lane' })
  const search = async (caller: Caller, text: string) => {
    const { status, body } = await caller.get<Found>(`/api/search?q=${encodeURIComponent(text)}`)
    t.equal(status, 200, text)
    return body
  }
  const vin = '2T3W1RFV0KC012345'
  const listed = await publish(hector, { title: 'A truck of ours', vehicles: [{ ...aVehicle, vin }] })
  const hidden = await publish(hector, {
    title: 'Herrera hides this',
    vehicles: [{ ...aVehicle, vin: '5YJ3E1EA7KF317000' }],
  })
  await app.server.ctx.db.updateTable('posts').set({ hiddenAt: new Date() }).where('id', '=', hidden).execute()
  const deal = await aDealOn(await publish(hector, { title: 'A Transit' }), hector, me)
  const chatId = await openChat(me, hector)
  await say(me, chatId, 'Is it there still?')

  const found = await search(me, 'herrera')
  t.same(found.dealers.map(({ name }) => name).toSorted(), ['Hector Herrera', 'Luis Lane'])
  t.notOk(
    found.posts.some(({ id }) => id === hidden),
    'a post hidden by a moderator',
  )
  t.equal(found.postTotal, found.posts.length)
  t.match(found.deals, [{ id: deal.id, seller: { dealershipName: 'Herrera & Sons' } }])
  t.match(found.chats, [{ id: chatId, other: { name: 'Hector Herrera' }, unreadCount: 0 }])
  t.same(Object.keys(found.dealers[0] ?? {}).toSorted(), ['avatar', 'city', 'dealershipName', 'id', 'name', 'state'])

  t.match((await search(me, ` ${vin.toLowerCase()} `)).posts, [
    { id: listed, dealershipName: 'Herrera & Sons', price: 31_900 },
  ])
  t.match((await search(me, 'f-150 hector')).deals, [{ id: deal.id }], 'every word must match, in any part of the name')
  t.same((await search(me, 'f-150 luis')).deals, [])
  t.same((await search(hector, 'hector')).deals, [], 'your own name matches all of your deals, so it is not searched')
  t.match(await search(third, 'dana'), { deals: [], chats: [] }, "nothing from other dealers' deals")
  await hector.patch(`/api/chats/${chatId}`, { blocked: true })
  t.notOk(
    (await search(me, 'hector')).dealers.some(({ id }) => id === hector.id),
    'nor dealers who block the caller',
  )
  t.same(await search(me, '  '), { dealers: [], posts: [], postTotal: 0, deals: [], chats: [] })
  t.equal((await me.get('/api/search?q=a')).status, 400)
  t.equal((await me.get(`/api/search?q=${'a'.repeat(201)}`)).status, 400)
  t.equal((await app.visitor.get('/api/search?q=herrera')).status, 401)
})

t.test('sorts found dealers by relevance, not by name', async (t) => {
  const me = await app.signIn('My Lot', { name: 'Mia Mine' })
  const lots = { Ada: 'The Bestwebb', Ann: 'Old Webb Lot', Cid: 'Zed Cars', Zoe: 'Webb & Sons' }
  for (const [name, lot] of Object.entries(lots))
    await app.signIn(lot, { name, city: name === 'Cid' ? 'Webb City' : 'Tulsa' })
  const first = async (text: string) =>
    (await me.get<Found>(`/api/search?q=${text}`)).body.dealers.map(({ name }) => name)
  t.same(await first('webb'), ['Zoe', 'Ann', 'Ada', 'Cid'])
  t.same(await first('we'), ['Zoe', 'Ann', 'Cid'])
  t.same(await first('all'), [], 'no word matches every dealer')
})

t.test('returns at most five results of each kind', async (t) => {
  const me = await app.signIn('Torres Auto Group')
  const others = await Promise.all(Array.from({ length: 6 }, (_, n) => app.signIn(`Webb Lot ${n}`)))
  for (const other of others) await publish(other, { title: 'Webb sells a van' })
  const { body } = await me.get<Found>('/api/search?q=webb')
  t.equal(body.dealers.length, 5)
  t.equal(body.posts.length, 5)
  t.equal(body.postTotal, 6)
})
