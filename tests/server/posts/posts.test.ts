import { sql } from 'kysely'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { aPost, aVehicle, publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

t.test('returns a published post as it was sent', async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const { status, body } = await seller.post<PostDetail>('/api/inventory', aPost({ description: 'Clean <b>title</b>' }))
  t.equal(status, 201)
  t.match(body, { title: '2021 Ford F-150 XLT', description: 'Clean <b>title</b>', status: 'active', vehicleCount: 1 })
  t.match(body.vehicles[0], { vin: aVehicle.vin, price: 31_900, status: 'available' })
  t.same((await seller.get<PostDetail>(`/api/inventory/${body.id}`)).body.id, body.id)
})

t.test('refuses a post with a sentence that helps a person', async (t) => {
  const { signIn } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const refusals: [unknown, number, string][] = [
    [aPost({ title: '   ' }), 400, 'Please enter a title for your post'],
    [aPost({ vehicles: [{ make: 'Ford' }] }), 400, "Please complete at least one vehicle's information"],
    [aPost({ type: 'spreadsheet' }), 400, 'Please enter a spreadsheet URL'],
    [aPost({ vehicles: [{ ...aVehicle, price: 31_900.005 }] }), 400, 'Amounts can have at most two decimals'],
    [aPost({ title: 'x'.repeat(201) }), 400, 'Title is too long (200 characters at most)'],
    [{ ...aPost(), type: 'fleet' }, 400, 'Type must be one of single, multiple, spreadsheet'],
    [{ ...aPost(), dealerId: other.id }, 403, 'You can only do this for your own dealership'],
  ]
  for (const [body, status, message] of refusals) {
    const answer = await seller.post<ErrorBody>('/api/inventory', body)
    t.equal(answer.status, status)
    t.equal(answer.body.error.message, message)
  }
})

t.test('posts once for the same idempotency key', async (t) => {
  const { signIn } = app
  const seller = await signIn()
  const key = { 'idempotency-key': '01890a5d-ac96-774b-bcce-b302099a8057' }
  const [first, second] = await Promise.all([
    seller.post<Post>('/api/inventory', aPost(), key),
    seller.post<Post>('/api/inventory', aPost(), key),
  ])
  t.equal(first.body.id, second.body.id)
  // A phone may retry after an hour offline. The retry returns the first post, regardless of later posts or changed content.
  await publish(seller, { title: 'Another one' })
  const late = await seller.post<Post>('/api/inventory', aPost({ title: 'Sent again' }), key)
  t.same([late.status, late.body.id, late.body.title], [201, first.body.id, first.body.title])
  const other = await signIn('Boyle Motor')
  t.not((await other.post<Post>('/api/inventory', aPost({ dealerId: other.id }), key)).body.id, first.body.id)
  t.equal((await seller.get('/api/inventory')).headers.get('x-total-count'), '3')
})

t.test('pages the feed by keyset without gaps or repeats, in every sort order', async (t) => {
  const { signIn } = app
  const seller = await signIn()
  for (let n = 0; n < 9; n += 1) await publish(seller, { title: `Post ${n}` })
  for (const sort of ['recent', 'hottest', 'for-sale']) {
    const seen: string[] = []
    let path: string | undefined = `/api/inventory?sort=${sort}&limit=4`
    while (path !== undefined) {
      const page: Answer<Post[]> = await seller.get<Post[]>(path)
      t.equal(page.headers.get('x-total-count'), '9')
      seen.push(...page.body.map((post) => post.title))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    t.equal(new Set(seen).size, 9, `${sort} shows each post once`)
    t.equal(seen.length, 9)
  }
})

t.test('refuses a cursor that it did not issue', async (t) => {
  const { signIn } = app
  const dealer = await signIn()
  for (const cursor of ['nonsense', Buffer.from('{"at":"x; drop table posts","id":"1"}').toString('base64url')])
    t.equal((await dealer.get(`/api/inventory?cursor=${cursor}`)).status, 400)
})

t.test('finds posts by title, VIN, part of a word, dealership and city', async (t) => {
  const { signIn } = app
  const webb = await signIn('Webb Bros Auto', { city: 'Tulsa' })
  const boyle = await signIn('Boyle Motor Co', { city: 'Reno' })
  const truck = await publish(webb)
  const car = await publish(boyle, {
    title: 'Camry',
    vehicles: [{ ...aVehicle, vin: '4T1B11HK5KU012345', make: 'Toyota', model: 'Camry', city: 'Reno' }],
  })
  const find = async (search: string) =>
    (await webb.get<Post[]>(`/api/inventory?search=${encodeURIComponent(search)}`)).body.map((post) => post.id)
  t.same(await find('F-150'), [truck])
  t.same(await find('4T1B11HK5'), [car])
  t.same(await find('toyo'), [car])
  t.same(await find('webb bros'), [truck])
  t.same(await find('Reno'), [car])
  t.same(await find('100% nothing_'), [])
  t.same(await find('xl'), [], 'two letters must be a whole word')
})

t.test('finds what search help promises: plurals, models, states and one wrong letter', async (t) => {
  const { signIn } = app
  const [seller, northern] = [await signIn('Webb Bros'), await signIn('Rose City', { city: 'Portland', state: 'OR' })]
  const post = async (by: Caller, make: string, model: string, place: { city: string; state: string }) =>
    publish(by, { title: `A clean ${model}`, vehicles: [{ ...aVehicle, make, model, ...place }] })
  const truck = await post(seller, 'Ford', 'F-150', { city: 'Tulsa', state: 'OK' })
  const camry = await post(seller, 'Toyota', 'Camry', { city: 'Dallas', state: 'TX' })
  const tacoma = await post(northern, 'Toyota', 'Tacoma', { city: 'Albany', state: 'NY' })
  const find = async (search: string) =>
    (await seller.get<Post[]>(`/api/inventory?search=${encodeURIComponent(search)}`)).body.map(({ id }) => id)
  for (const search of ['F-150', 'F150', 'F150s', 'F-150s', 'Fords', 'Oklahoma', 'OK', 'ok', 'Tulsx', 'f150 oklahona'])
    t.same(await find(search), [truck], search)
  for (const search of ['Camrys', 'Camrey', 'Camty', 'Camrry', 'clean camxy', 'toyota dalls'])
    t.same(await find(search), [camry], search)
  for (const search of [
    'Oregon',
    'OR',
    'Portland OR',
    'New York',
    'NY',
    'Tacomas',
    'tacpma',
    'Oregom',
    'Toyotaa Tacoma',
  ])
    t.same(await find(search), [tacoma], search)
  for (const search of ['Tayoka', 'Tulxx', 'tacma -oregon', '"tacpma"']) t.same(await find(search), [], search)
  for (const search of ['Toyota', 'Toyotas', 'Toyoto']) t.same(await find(search), [tacoma, camry], search)
})

t.test('lists corrected matches after exact ones, page by page', async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const titles = ['Hondo one', 'Honda one', 'Hondo two', 'Honda two', 'Honda three']
  for (const title of titles) await publish(seller, { title, vehicles: [{ ...aVehicle, make: 'Any', model: 'Car' }] })
  const found: string[] = []
  let path: string | undefined = '/api/inventory?search=hondo&limit=2'
  while (path !== undefined) {
    const { body, headers }: Answer<Post[]> = await seller.get<Post[]>(path)
    t.equal(headers.get('x-total-count'), '5')
    found.push(...body.map(({ title }) => title))
    path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
  }
  t.same(found, ['Hondo two', 'Hondo one', 'Honda three', 'Honda two', 'Honda one'])
})

t.test("finds a model's name with and without its hyphen, and by its parts otherwise", async (t) => {
  const { signIn } = app
  const seller = await signIn('Webb Bros')
  const post = async (model: string, title: string) =>
    publish(seller, { title, description: '', vehicles: [{ ...aVehicle, make: 'Any', model }] })
  const truck = await post('F-150', 'Work truck')
  const suv = await post('CRV', 'Family car')
  const sedan = await post('Accord', 'Pre-owned, A-1 shape, low-mile trade-in')
  const find = async (search: string) =>
    (await seller.get<Post[]>(`/api/inventory?search=${encodeURIComponent(search)}`)).body.map((found) => found.id)
  for (const search of ['F-150', 'f150', '"work truck" f150', 'truck -crv']) t.same(await find(search), [truck], search)
  for (const search of ['CR-V', 'crv', 'cr-v -f150']) t.same(await find(search), [suv], search)
  for (const search of ['owned', 'pre-owned', 'mile', 'trade-in', 'a1', '-crv -f-150'])
    t.same(await find(search), [sedan], search)
})

t.test(
  'pages a search without gaps or repeats and counts it up to a limit, whether it finds few or many',
  async (t) => {
    const { signIn, server } = await startApp(t)
    const seller = await signIn('Webb Bros')
    const truck = await publish(seller)
    await sql`
    insert into posts (dealer_id, type, title, search, search_text, created_at)
    select dealer_id, type, 'Copy ' || n, search, search_text || ' lot' || n % 200, created_at - (n / 3) * interval '1 second'
    from posts, generate_series(1, 1_000) n where id = ${truck}`.execute(server.ctx.db)
    const read = async (query: string) => {
      const seen: string[] = []
      let path: string | undefined = `/api/inventory?${query}`
      let total = ''
      while (path !== undefined) {
        const page: Answer<Post[]> = await seller.get<Post[]>(path)
        total = page.headers.get('x-total-count') ?? ''
        seen.push(...page.body.map((post) => post.id))
        path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      return { total, found: seen.length, different: new Set(seen).size }
    }
    for (const sort of ['recent', 'hottest', 'for-sale']) {
      t.same(
        await read(`sort=${sort}&search=f-150`),
        { total: '1001', found: 1_001, different: 1_001 },
        `${sort}: many`,
      )
      t.same(await read(`sort=${sort}&search=zonda`), { total: '0', found: 0, different: 0 }, `${sort}: none`)
      t.same(await read(`sort=${sort}&search=LOT77&limit=2`), { total: '5', found: 5, different: 5 }, `${sort}: few`)
    }
    await publish(seller)
    t.same(
      await read('search=f-150'),
      { total: '1001', found: 1_002, different: 1_002 },
      'one above the limit means that there are more',
    )
  },
)

t.test('answers an unchanged poll with 304, and a change with the data', async (t) => {
  const { signIn } = app
  const dealer = await signIn()
  const id = await publish(dealer)
  await until('the AI summary', async () => (await dealer.get<Post>(`/api/inventory/${id}`)).body.aiSummary)
  const tag = (await dealer.get('/api/inventory')).headers.get('etag') ?? ''
  t.match(tag, /^"[^"]+"$/)
  const unchanged = await dealer.get('/api/inventory', undefined, { 'if-none-match': tag })
  t.equal(unchanged.status, 304)
  t.equal(unchanged.headers.get('content-length'), null, 'no content length')
  await publish(dealer, { title: 'Another' })
  t.equal((await dealer.get('/api/inventory', undefined, { 'if-none-match': tag })).status, 200)
})

t.test('lets only the seller change a post: 403 for others, 404 for a missing one', async (t) => {
  const { signIn } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const id = await publish(seller)
  t.equal((await other.patch(`/api/inventory/${id}`, { status: 'sold' })).status, 403)
  t.equal((await seller.patch<Post>(`/api/inventory/${id}`, { status: 'sold' })).body.status, 'sold')
  t.equal((await seller.patch('/api/inventory/01890a5d-ac96-774b-bcce-b302099a8057', { status: 'sold' })).status, 404)
  t.equal((await seller.patch(`/api/inventory/${id}`, { status: 'stolen' })).status, 400)
})

t.test('refuses visitors', async (t) => {
  const { visitor, signIn } = app
  const id = await publish(await signIn())
  for (const path of ['/api/inventory', `/api/inventory/${id}`, '/api/inventory/reactions'])
    t.equal((await visitor.get(path)).status, 401)
  t.equal((await visitor.post('/api/inventory', aPost())).status, 401)
})

t.test('refuses a body over one megabyte with a sentence', async (t) => {
  const { signIn } = app
  const seller = await signIn()
  const answer = await seller.post<ErrorBody>('/api/inventory', { ...aPost(), description: 'x'.repeat(1_100_000) })
  t.equal(answer.status, 413)
  t.equal(answer.body.error.code, 'too_large')
})

t.test('refuses a cross-site form post', async (t) => {
  const { signIn } = app
  const seller = await signIn()
  const from = (headers: Record<string, string>) => seller.post('/api/inventory', aPost(), headers)
  t.equal((await from({ origin: 'https://evil.example' })).status, 403)
  t.equal((await from({ 'sec-fetch-site': 'cross-site' })).status, 403)
  t.equal((await from({ 'sec-fetch-site': 'same-origin' })).status, 201)
})
