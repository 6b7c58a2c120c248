import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import { findSearch, parseFind, type FindQuery } from '#shared/find-query.ts'
import type { CreatedApiKey } from '#shared/schemas/account.ts'
import type { FindAnswer, FindSince, FindWords } from '#shared/schemas/find.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { seededRandom } from '#server/db/seed/random.ts'
import { sweepAuctions } from '#server/features/auctions/auction-closing.service.ts'
import { toFacets } from '#server/features/find/columns/facets.ts'
import { refreshFind } from '#server/features/find/refresh-find.service.ts'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { aBidder, bid, endIn, publishAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { columnsOf } from '#tests/support/find-columns.ts'
import { expected, expectedTree, readModel, treeOf, waysOutAmiss } from '#tests/support/find-model.ts'
import { fillFind, randomFind } from '#tests/support/find-network.ts'
import { propertyRuns } from '#tests/support/properties.ts'
import { rowsOfFind } from '#tests/support/find-rows.ts'

const app = await startApp(t, { ROLES: 'api' })
const { server } = app
const { ctx, find: index } = server
const { db } = ctx

const find = async (caller: Caller, search = '') => {
  await index.follow()
  const answer = await caller.get<FindAnswer>(`/api/find?${search}`)
  if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const found = async (caller: Caller, search = '') =>
  (await find(caller, search)).items.map(({ vehicleId }) => vehicleId)
const since = async (caller: Caller, head: string) =>
  (await caller.get<FindSince>(`/api/find/since?mmt=Ford&after=${encodeURIComponent(head)}`)).body
const vehiclesOf = async (caller: Caller, postId: string) =>
  (await caller.get<Partial<Post>>(`/api/inventory/${postId}`)).body.vehicles ?? []

t.test('finds a vehicle by each of its properties and returns where and how it is sold', async (t) => {
  const [seller, buyer] = [await app.signIn('Cherokee Auto', { city: 'Tulsa', state: 'OK' }), await app.signIn('Buyer')]
  await seller.patch('/api/profile', { zip: '74112' })
  const postId = await publish(seller, {
    title: '2021 Ford F-150 XLT PowerBoost',
    vehicles: [{ ...aVehicle, vin: '1FTFW1ED8MFA77042', trim: 'XLT PowerBoost' }],
  })
  const searches = [
    'mmt=ford~f150',
    'mmt=Toyota,Ford~F-150~XLT+PowerBoost',
    'year=2021-2019',
    'price=-31900&miles=48210-',
    'near=74101&within=25',
    'body=pickup&drive=4wd&fuel=hybrid',
    'sale=fixed',
    'posted=1',
  ]
  const [vehicle] = await vehiclesOf(seller, postId)
  for (const search of searches) t.ok((await found(buyer, search)).includes(vehicle?.id ?? ''), search)
  const misses = ['mmt=ford~f250', 'year=2022-', 'price=-31899', 'near=10001&within=100', 'body=sedan', 'drive=awd', 'sale=live', 'photos=1', 'seller=connected', 'rating=4'] // oxfmt-ignore
  for (const search of misses) t.notOk((await found(buyer, search)).includes(vehicle?.id ?? ''), search)
  const item = (await find(buyer, 'near=74101')).items.find(({ postId: id }) => id === postId)
  t.match(item, {
    title: '2021 Ford F-150 XLT PowerBoost',
    price: 31_900,
    body: 'pickup',
    drive: '4wd',
    fuel: 'hybrid',
    sale: 'fixed',
    auction: null,
    place: { city: 'Tulsa', region: 'OK' },
    seller: { id: seller.id, dealershipName: 'Cherokee Auto' },
    yours: false,
    connected: false,
  })
  t.ok(item?.miles !== null && Number(item?.miles) < 15)
  t.equal((await find(seller)).items.find(({ postId: id }) => id === postId)?.yours, true)
  const unknown = await find(buyer, 'near=00000&within=50')
  t.match(unknown.place, { code: '00000', known: false })
  t.ok(unknown.total > 0, 'the rest of the search still works')
})

t.test('suggests changes that would find something', async (t) => {
  const seller = await app.signIn()
  await publish(seller, { vehicles: [{ ...aVehicle, make: 'Saab', model: '9-3', price: 5_200, mileage: 90_000 }] })
  const waysOut = async (search: string) => {
    const { total, relax } = await find(seller, `mmt=Saab~93&${search}`)
    return { total, relax }
  }
  const one = (key: string, value: string | null) => ({ total: 0, relax: [{ key, value, total: 1 }] })
  t.same(await waysOut('price=-5000&miles=-100000'), one('price', '-5300'))
  t.same(await waysOut('near=75201&within=200'), one('within', '300'))
  t.same(await waysOut('near=10001&within=200'), one('within', null))
  t.same(await waysOut('year=2022-'), one('year', '2021-'))
  t.same(await waysOut('price=-5000,none'), one('price', '-5300,none'))
  t.same(await waysOut('year=none'), one('year', null))
})

t.test('finds vehicles without year, price or mileage, beside a range or alone', async (t) => {
  const seller = await app.signIn()
  const isabella = { ...aVehicle, make: 'Borgward', model: 'Isabella' }
  const vehicles = [
    { ...isabella, year: 2001, price: 5_000, mileage: 90_000 },
    { ...isabella, year: 2005, price: 9_000, mileage: 30_000, vin: '1FTFW1E50MFA00001' },
    { ...isabella, vin: '1FTFW1E50MFA00002' },
  ]
  const postId = await publish(seller, { type: 'multiple', vehicles })
  const [cheap, dear, none] = await vehiclesOf(seller, postId)
  // A spreadsheet may list a vehicle without these values.
  await ctx.transact(async (tx) => {
    await sql`update vehicles set year = null, price_cents = null, mileage = null where id = ${none?.id}`.execute(tx)
    await refreshFind(tx, [postId])
  })
  for (const [search, wanted] of [
    ['price=-6000', [cheap]],
    ['price=-6000,none', [cheap, none]],
    ['price=6000-,none', [dear, none]],
    ['price=none', [none]],
    ['year=2004-,none', [dear, none]],
    ['year=none', [none]],
    ['miles=-40000,none', [dear, none]],
    ['miles=none&price=-6000', []],
  ] as const) {
    const ids = await found(seller, `mmt=Borgward&${search}`)
    t.same(new Set(ids), new Set(wanted.map((vehicle) => vehicle?.id)), search)
  }
  const { facets } = await find(seller, 'mmt=Borgward&price=-6000,none&facets=1')
  t.match(facets?.price, { notStated: 1 }, 'a group’s counts ignore its own choice')
  t.equal(
    facets?.price.counts.reduce((sum, count) => sum + count),
    2,
  )
  t.match(facets?.year, { counts: [{ year: 2001, count: 1 }], notStated: 1 })
})

t.test('keeps chosen values among the counts even at zero', async (t) => {
  const seller = await app.signIn()
  await publish(seller, { vehicles: [{ ...aVehicle, make: 'Lada', model: 'Niva', trim: 'Legend', price: 5_200 }] })
  const makeOf = async (search: string, label: string) =>
    (await find(seller, `${search}&facets=1&price=-100`)).facets?.mmt.find((make) => make.label === label)
  const legend = { label: 'Legend', count: 0 }
  t.same(await makeOf('mmt=lada~niva~legend', 'Lada'), {
    label: 'Lada',
    count: 0,
    models: [{ label: 'Niva', count: 0, trims: [legend] }],
  })
  const unheard = 'mmt=Unheard~Of,Unknown,Lada~Unheard+Of'
  t.same(await makeOf(unheard, 'Unheard'), {
    label: 'Unheard',
    count: 0,
    models: [{ label: 'Of', count: 0, trims: [] }],
  })
  t.same(await makeOf(unheard, 'Unknown'), { label: 'Unknown', count: 0, models: [] })
  t.same((await makeOf(unheard, 'Lada'))?.models, [{ label: 'Unheard Of', count: 0, trims: [] }])
})

t.test('maps words to makes, models and places', async (t) => {
  const seller = await app.signIn()
  await publish(seller)
  const { body } = await seller.get<FindWords>('/api/find/words?text=2021+f150+under+40k+Little+Rock')
  t.match(body.vehicles, [{ words: 'f150', make: 'Ford', model: 'F-150', trim: null }])
  t.match(body.places[0], { words: 'little rock', city: 'Little Rock', region: 'AR' })
  t.match((await seller.get<FindWords>('/api/find/words?text=T2P2M5')).body.places, [
    { code: 'T2P2M5', city: 'Calgary' },
  ])
})

t.test('hides vehicles the caller may not see', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const admin = await app.signIn('Staff', { role: 'admin' })
  const postId = await publish(seller)
  const isFound = async () => (await find(buyer)).items.some((item) => item.postId === postId)
  t.equal((await app.visitor.get('/api/find')).status, 401)
  t.equal((await app.visitor.get('/api/find/words?text=ford')).status, 401)
  t.equal((await app.visitor.get('/api/find/since?after=2026-01-01T00:00:00.000Z')).status, 401)
  t.ok(await isFound())
  const chat = (await seller.post<{ id: string }>('/api/chats', { dealerId: buyer.id })).body
  for (const [who, blocked] of [
    [seller, true],
    [seller, false],
    [buyer, true],
    [buyer, false],
  ] as const) {
    await who.patch(`/api/chats/${chat.id}`, { blocked })
    t.equal(await isFound(), !blocked)
  }
  await ctx.transact(async (tx, emit) => void (await setPostHidden(tx, emit, postId, true)))
  t.notOk(await isFound())
  await ctx.transact(async (tx, emit) => void (await setPostHidden(tx, emit, postId, false)))
  t.ok(await isFound())
  await admin.post(`/api/admin/users/${seller.id}/suspend`, { reason: 'a reason', until: null })
  t.notOk(await isFound())
  await admin.post(`/api/admin/users/${seller.id}/reinstate`, { reason: 'a reason' })
  t.ok(await isFound())
})

t.test('lets keys of any scope search what their dealer may see', async (t) => {
  const dealer = await app.signIn('Enterprise', { plan: 'enterprise' })
  const made = await dealer.post<CreatedApiKey>('/api/api-keys', { name: 'Find', scope: 'read' })
  const headers = { authorization: `Bearer ${made.body.secret}` }
  t.equal((await app.visitor.get('/api/find?facets=1', undefined, headers)).status, 200)
  t.equal((await app.visitor.get('/api/find/words?text=ford', undefined, headers)).status, 403)
  const { body } = await dealer.get<{ paths: Record<string, { get?: { parameters?: { name: string }[] } }> }>(
    '/api/docs/json',
  )
  t.match(
    body.paths['/api/find']?.get?.parameters?.map(({ name }) => name),
    ['mmt', 'year', 'price'],
  )
})

t.test('applies bids to prices without changing rows', async (t) => {
  const [seller, bidder] = [await app.signIn('Seller'), await aBidder(app, 'Bidder')]
  const postId = await publishAuction(seller)
  const before = await find(bidder, 'sale=live')
  const own = before.items.find((item) => item.postId === postId)
  t.ok(own)
  const rows = await rowsOfFind(db)
  await bid(bidder, postId, (own?.price ?? 0) + 500)
  t.same(await rowsOfFind(db), rows)
  await index.load()
  const after = (await find(bidder, `sale=live&price=${(own?.price ?? 0) + 500}-`)).items.find(
    (item) => item.postId === postId,
  )
  t.equal(after?.price, (own?.price ?? 0) + 500)
  t.equal(after?.auction?.bidCount, 1)
  await endIn(app, postId, -1)
  await sweepAuctions(ctx)
  t.notOk((await find(bidder, 'sale=live')).items.some((item) => item.postId === postId))
})

t.test('does not miss a transaction that stays open for long', async (t) => {
  const [seller, buyer] = [await app.signIn('Slow'), await app.signIn('Quick')]
  const postId = await publish(seller)
  const price = async () =>
    (await find(buyer, 'price=77000-77200')).items.filter((item) => item.postId === postId).length
  t.equal(await price(), 0)
  const slow = await db.startTransaction().execute()
  await sql`update vehicles set price_cents = 7700000 where post_id = ${postId}`.execute(slow)
  await refreshFind(slow, [postId])
  // While the slow transaction is open, others commit with higher transaction ids, and Find reads their changes.
  for (let other = 0; other < 3; other++) {
    await publish(buyer)
    await index.follow()
  }
  t.equal(await price(), 0)
  await slow.commit().execute()
  t.equal(await price(), 1)
})

t.test('counts new vehicles of a search', async (t) => {
  const dealer = await app.signIn()
  const { head } = await find(dealer, 'mmt=Ford')
  await publish(dealer)
  await index.follow()
  const body = await since(dealer, head)
  t.equal(body.count, 1)
  t.not(body.head, head)
  const [known] = (await find(dealer, 'mmt=Ford')).items
  await dealer.patch(`/api/inventory/${known?.postId}`, {
    vehicles: [{ ...aVehicle, id: known?.vehicleId, price: 30_100 }],
  })
  await index.follow()
  t.equal((await since(dealer, body.head)).count, 0, 'a vehicle with a new price is not new')
  t.equal((await dealer.get('/api/find/since?after=yesterday')).status, 400)
})

t.test('counts a vehicle whose transaction began before an answer and committed after it', async (t) => {
  const [seller, buyer] = [await app.signIn('Slow'), await app.signIn('Quick')]
  const slow = await db.startTransaction().execute()
  await sql`select now()`.execute(slow)
  await publish(buyer)
  const { head, items } = await find(buyer, 'mmt=Ford')
  const values = { dealerId: seller.id, type: 'single', title: 'A Ford', vehicleCount: 1, availableCount: 1 } as const
  const { id } = await slow.insertInto('posts').values(values).returning('id').executeTakeFirstOrThrow()
  await slow.insertInto('vehicles').values({ postId: id, position: 0, vin: aVehicle.vin, make: 'Ford' }).execute()
  await refreshFind(slow, [id])
  await slow.commit().execute()
  await index.follow()
  t.equal((await since(buyer, head)).count, 1)
  const after = await find(buyer, 'mmt=Ford')
  t.not(after.items[0]?.vehicleId, undefined)
  t.ok(after.items.findIndex(({ seller: { id } }) => id === seller.id) > 0, 'after a known one')
  t.equal(
    items.some(({ seller: { id } }) => id === seller.id),
    false,
  )
  await index.load()
  t.equal((await since(buyer, head)).count, 1, 'also from a process that has started since')
  t.equal((await since(buyer, after.head)).count, 0)
})

t.test('answers random searches like PostgreSQL: totals, counts and page order', async (t) => {
  const random = seededRandom(11)
  const reader = await app.signIn('Reader')
  const sellers = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => app.signIn(name)))
  const [friend, other, blocked] = sellers.map(({ id }) => id)
  for (const otherId of [friend, other]) await reader.post(`/api/dealers/${otherId}/connect`)
  const chat = (await reader.post<{ id: string }>('/api/chats', { dealerId: blocked })).body
  await reader.patch(`/api/chats/${chat.id}`, { blocked: true })
  await fillFind(
    ctx,
    random,
    sellers.map(({ id }) => id),
  )
  await index.load()
  const rows = await readModel(db)
  const [network, hidden] = [new Set([friend ?? '', other ?? '']), new Set([blocked ?? ''])]
  const { rows: places } = await sql<{ code: string; lat: number; lng: number }>`
    select code, lat::float8 as lat, lng::float8 as lng from postal_places where code in ('75201', '10001', '98104', '46201')`.execute(
    db,
  )
  const nearOf = (query: FindQuery) => places.find(({ code }) => code === query.near)
  const totalOf = (query: FindQuery) =>
    expected(rows, query, { network, blocked: hidden, near: nearOf(query), now: Date.now() }).total
  let waysOut = 0
  /** Collects failures, because a separate assertion for each query is slow. */
  const amiss: unknown[] = []
  const byCall = async (query: FindQuery) => {
    const search = findSearch(query)
    if (!isDeepStrictEqual(parseFind(search), query)) amiss.push({ search, isReadAs: parseFind(search) })
    const { body } = await reader.get<FindAnswer>(`/api/find?${search}&facets=1`)
    const second = body.next && (await reader.get<FindAnswer>(`/api/find?${search}&cursor=${body.next}`)).body
    const ids = [...body.items, ...(second ? second.items : [])].map(({ vehicleId }) => vehicleId)
    if (body.total === 0) amiss.push(...waysOutAmiss(search, body.relax ?? [], totalOf))
    waysOut += body.relax?.length ?? 0
    return { total: body.total, ids, facets: body.facets }
  }
  // Check most queries without HTTP, on columns loaded into this thread.
  const { ask, labels } = await columnsOf(db, rows, { network, blocked: hidden })
  const byColumns = (query: FindQuery, now: number) => {
    const { counts, words, isSame, ...answer } = ask(query, nearOf(query), now)
    if (!isSame) t.fail('a page without counts is another', { search: findSearch(query) })
    return { ...answer, facets: counts && toFacets(counts, labels, words) }
  }
  for (let turn = 0; turn < 20 * propertyRuns; turn++) {
    const query = randomFind(random, rows)
    const now = Date.now()
    const { facets: { mmt, ...facets } = { mmt: [] }, ...answer } =
      turn < propertyRuns ? await byCall(query) : byColumns(query, now)
    const { words, ids, ...wanted } = expected(rows, query, { network, blocked: hidden, near: nearOf(query), now })
    const both = [
      { ...answer, facets, tree: treeOf({ mmt }) },
      { ...wanted, ids: ids.slice(0, 50), tree: expectedTree(words, query) },
    ] as const
    // Compare with Node first, because tap's deep comparison is slow.
    if (!isDeepStrictEqual(...both)) return void t.same(...both, findSearch(query))
  }
  t.same(amiss, [])
  t.ok(waysOut > 0)
})

t.test('reloads a lost index while serving searches', async (t) => {
  const dealer = await app.signIn()
  const { total } = await find(dealer)
  t.ok(total > 0)
  const asked = Array.from({ length: 40 }, async (_, turn) => {
    if (turn % 13 === 5) index.drop()
    const { status, body } = await dealer.get<FindAnswer>(`/api/find?year=${1990 + turn}-`)
    return status === 200 ? typeof body.total : status
  })
  for (const answer of await Promise.all(asked)) t.ok(answer === 'number' || answer === 503)
  t.equal((await find(dealer)).total, total)
})

t.test("shows admins each process's state of Find", async (t) => {
  const figures = index.figures()
  t.match(figures, { state: 'ready', vehicles: Number, ageMs: Number })
  t.ok(figures.vehicles > 500)
})
