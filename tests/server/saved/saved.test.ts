import { sql } from 'kysely'
import t from 'tap'
import { savedSearchesMax, watchesMax } from '#shared/limits.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Post } from '#shared/schemas/posts.ts'
import type { SavedSearch } from '#shared/schemas/saved.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { finishedImport } from '#tests/support/imports.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { until, untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const noticesOf = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body.items

async function matched({ server }: TestApp): Promise<void> {
  await until('the matching to be done', async () => {
    const rows = await server.ctx.db.selectFrom('outbox').select('id').where('name', '=', 'saved.match').execute()
    return rows.length === 0
  })
}

t.test('notifies of a new post once, however many saved searches find it', async (t) => {
  const buyer = await app.signIn('Buyer Motors')
  const other = await app.signIn('Other Motors')
  const seller = await app.signIn('Seller Motors')
  for (const search of ['f-150', 'Ford truck OR F-150', 'tulsa']) await buyer.post('/api/saved-searches', { search })
  await other.post('/api/saved-searches', { search: 'F-150', sort: 'auction-promo' })
  await seller.post('/api/saved-searches', { search: 'F-150' })
  const tab = await buyer.live()
  const post = await publish(seller)
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  await matched(app)
  t.match(await noticesOf(buyer), [
    { kind: 'savedSearch', title: 'New for "f-150": 2021 Ford F-150 XLT', path: `/post/${post}` },
  ])
  t.equal((await noticesOf(buyer)).length, 1)
  t.same(await noticesOf(other), [], 'not an auction')
  t.same(await noticesOf(seller), [], 'not about your own post')
})

t.test('notifies searches for auctions once an edit opens bidding, and no others again', async (t) => {
  const [buyer, late] = [await app.signIn('Buyer Motors'), await app.signIn('Late Motors')]
  const seller = await app.signIn('Seller Motors')
  await buyer.post('/api/saved-searches', { search: 'F-150', sort: 'auction-promo' })
  const post = await publish(seller)
  await matched(app)
  t.same(await noticesOf(buyer), [], 'not an auction yet')
  await late.post('/api/saved-searches', { search: 'F-150' })
  await seller.patch(`/api/inventory/${post}`, { title: 'Live auction: 2021 Ford F-150', auction: {} })
  await matched(app)
  t.match(await noticesOf(buyer), [{ title: 'New for "F-150": Live auction: 2021 Ford F-150', path: `/post/${post}` }])
  t.same(await noticesOf(late), [], 'the post was already there')
})

t.test('matches plurals and states in saved searches as the feed does', async (t) => {
  const [buyer, seller] = [await app.signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const post = (title: string, city: string, state: string) =>
    publish(seller, { title, vehicles: [{ ...aVehicle, city, state }] })
  const told = async () => {
    await matched(app)
    return (await noticesOf(buyer)).map(({ title }) => title)
  }
  for (const [search, city, state] of [
    ['F-150s Portland', 'Portland', 'OR'],
    ['truck Gary IN', 'Gary', 'IN'],
    ['truck Portland OR', 'Portland', 'OR'],
  ] as const) {
    const { body: saved } = await buyer.post<SavedSearch>('/api/saved-searches', { search })
    const before = await told()
    const found = await post('A clean truck', city, state)
    await post('Another truck that Gary sells', 'Tulsa', 'OK')
    const { body } = await buyer.get<Post[]>(`/api/inventory?search=${encodeURIComponent(search)}`)
    t.same(
      body.map(({ id }) => id),
      [found],
    )
    t.same(await told(), [`New for "${search}": A clean truck`, ...before], 'the same notification only')
    await buyer.delete(`/api/saved-searches/${saved.id}`)
    await seller.delete(`/api/inventory/${found}`)
  }
})

t.test('finds nothing for a search of signs only, in the feed and saved', async (t) => {
  const buyer = await app.signIn('Buyer Motors')
  await publish(await app.signIn('Seller Motors'))
  for (const sign of ['-', '- ', '-!', '-"', '-"a" ', '"-', '-.-', '(', 'or ', "'", '−']) {
    const search = sign.repeat(100).slice(0, 200)
    t.equal((await buyer.post('/api/saved-searches', { search, sort: 'recent' })).status, 201, search)
    const found = await buyer.get<Post[]>(`/api/inventory?search=${encodeURIComponent(search)}`)
    t.equal(found.status, 200, search)
    t.same(found.body, [], search)
  }
  const { body } = await buyer.get<Post[]>(`/api/inventory?search=${encodeURIComponent(`F-150 ${'-'.repeat(60)} XLT`)}`)
  t.equal(body.length, 1, 'between words they are ignored')
})

t.test('notifies nobody of a post that no search finds', async (t) => {
  const buyer = await app.signIn('Buyer Motors')
  const seller = await app.signIn('Seller Motors')
  await buyer.post('/api/saved-searches', { search: 'Corvette' })
  await publish(seller, { vehicles: [{ ...aVehicle, model: 'Transit' }], title: 'A van' })
  await matched(app)
  t.same(await noticesOf(buyer), [])
})

t.test('finds the matching one among ten thousand saved searches', async (t) => {
  const buyer = await app.signIn('Buyer Motors')
  const seller = await app.signIn('Seller Motors')
  const { db } = app.server.ctx
  await sql`
    insert into dealers (email, name, profile_completed_at)
    select 'd' || n || '@many.example', 'Dealer ' || n, now() from generate_series(1, 500) n`.execute(db)
  await sql`
    insert into saved_searches (dealer_id, search, sort, pattern)
    select id, 'search number ' || n || ' of ' || email, 'recent', '%search number ' || n || '%'
    from dealers cross join generate_series(1, 20) n where email like '%@many.example'`.execute(db)
  await buyer.post('/api/saved-searches', { search: 'F-150' })
  const post = await publish(seller)
  await matched(app)
  t.match(await noticesOf(buyer), [{ path: `/post/${post}` }])
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, timing off) select s.dealer_id from posts p
    join saved_searches s on p.search @@ s.query or p.search_text like s.pattern where p.id = ${post}`.execute(db)
  const took = Number(/Execution Time: ([\d.]+) ms/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1])
  t.comment(`10,000 saved searches: ${took} ms`)
})

t.test('keeps saved searches and watched posts private', async (t) => {
  const ann = await app.signIn('Ann Autos')
  const ben = await app.signIn('Ben Motors')
  const { status, body: saved } = await ann.post<SavedSearch>('/api/saved-searches', { search: '  f-150  ' })
  t.equal(status, 201)
  t.match(saved, { search: 'f-150', sort: 'recent' })
  t.equal((await ann.post<SavedSearch>('/api/saved-searches', { search: 'f-150' })).body.id, saved.id)
  t.equal((await ben.delete(`/api/saved-searches/${saved.id}`)).status, 404)
  t.same((await ben.get('/api/saved-searches')).body, [])
  t.equal((await ann.post('/api/saved-searches', { search: '   ' })).status, 400)
  t.equal((await ann.delete(`/api/saved-searches/${saved.id}`)).status, 204)
  t.same((await ann.get('/api/saved-searches')).body, [])

  const post = await publish(ben)
  t.equal((await ann.put(`/api/inventory/${post}/watch`)).status, 204)
  t.equal((await ann.put(`/api/inventory/${post}/watch`)).status, 204)
  t.same((await ann.get('/api/watchlist/ids')).body, [post])
  t.match((await ann.get<Post[]>('/api/watchlist')).body, [{ id: post, dealer: { id: ben.id } }])
  t.same((await ben.get('/api/watchlist/ids')).body, [])
  await ann.delete(`/api/inventory/${post}/watch`)
  t.same((await ann.get('/api/watchlist')).body, [])
  t.equal((await ann.put('/api/inventory/00000000-0000-7000-8000-000000000000/watch')).status, 404)
  t.equal((await app.visitor.get('/api/watchlist')).status, 401)
})

t.test('does not notify suspended dealers of matches', async (t) => {
  const [buyer, other] = [await app.signIn('Buyer Motors'), await app.signIn('Other Motors')]
  for (const one of [buyer, other]) await one.post('/api/saved-searches', { search: 'f-150' })
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', buyer.id).execute()
  await publish(await app.signIn('Seller Motors'))
  await matched(app)
  const told = await db.selectFrom('notifications').select('dealerId').where('kind', '=', 'savedSearch').execute()
  t.same(told, [{ dealerId: other.id }])
})

t.test('enforces the limits of saved searches and watched posts under concurrency', async (t) => {
  const buyer = await app.signIn('Buyer Motors')
  const { db } = app.server.ctx
  await sql`
    insert into saved_searches (dealer_id, search, sort, pattern)
    select ${buyer.id}, 'search ' || n, 'recent', null from generate_series(1, ${savedSearchesMax - 1}::int) n`.execute(
    db,
  )
  const saved = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      untilTaken(() => buyer.post('/api/saved-searches', { search: `another ${n}` })),
    ),
  )
  t.equal(saved.filter(({ status }) => status === 201).length, 1)
  t.equal((await buyer.get<SavedSearch[]>('/api/saved-searches')).body.length, savedSearchesMax)
  t.equal((await buyer.post('/api/saved-searches', { search: 'search 1' })).status, 201, 'saving it again adds nothing')

  const seller = await app.signIn('Seller Motors')
  const posts = [await publish(seller), await publish(seller), await publish(seller), await publish(seller)]
  await sql`
    insert into posts (dealer_id, type, title) select ${seller.id}, 'single', 'Post ' || n from generate_series(1, ${watchesMax - 1}::int) n`.execute(
    db,
  )
  await sql`
    insert into watches (dealer_id, post_id) select ${buyer.id}, id from posts where title like 'Post %'`.execute(db)
  const watched = await Promise.all(posts.map((post) => untilTaken(() => buyer.put(`/api/inventory/${post}/watch`))))
  t.same(watched.map(({ status }) => status).toSorted(), [204, 409, 409, 409])
  const { body: ids } = await buyer.get<string[]>('/api/watchlist/ids')
  t.equal(ids.length, watchesMax)
  t.equal((await buyer.put(`/api/inventory/${ids[0]}/watch`)).status, 204, 'repeating it changes nothing')
})

t.test('notifies of a spreadsheet post once its vehicles are imported', async (t) => {
  const host = await startWebsite(t, (_request, response) =>
    response
      .setHeader('content-type', 'text/csv')
      .end('Year,Make,Model,Mileage,Price,City,State\n2021,Toyota,Tacoma,9,31000,Enid,OK'),
  )
  const own = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const [buyer, late, seller] = [await own.signIn('Buyer'), await own.signIn('Late'), await own.signIn('Seller')]
  await buyer.post('/api/saved-searches', { search: 'tacoma' })
  const spreadsheetUrl = `http://${host}/list.csv`
  const postId = await publish(seller, { type: 'spreadsheet', title: 'July inventory', vehicles: [], spreadsheetUrl })
  t.match(await finishedImport(seller, postId), { state: 'done' })
  await matched(own)
  t.match(await noticesOf(buyer), [{ title: 'New for "tacoma": July inventory', path: `/post/${postId}` }])
  await late.post('/api/saved-searches', { search: 'tacoma' })
  await seller.post(`/api/inventory/${postId}/sheet`)
  await finishedImport(seller, postId)
  await matched(own)
  t.same(await noticesOf(late), [], 'a later import is no new post')
})
