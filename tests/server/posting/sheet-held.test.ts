import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { SheetPreview } from '#shared/schemas/posting.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { decideSheet, finishedImport } from '#tests/support/imports.ts'
import { startWebsite } from '#tests/support/sheets.ts'

let sheet = ''
const host = await startWebsite(t, (_request, response) => response.setHeader('content-type', 'text/csv').end(sheet))
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
t.beforeEach(app.startOver)

const link = `http://${host}/list.csv`
const post = { type: 'spreadsheet' as const, vehicles: [], spreadsheetUrl: link }

interface Car {
  number: number
  price?: number | ''
  mileage?: number
}

const vinOf = (number: number) => `1FTFW1E59NKD${69_000 + number}`
const sheetOf = (...cars: Car[]) =>
  [
    'VIN,Year,Make,Model,Mileage,Price',
    ...cars.map(
      ({ number, price = 9_000, mileage = 50_000 }) => `${vinOf(number)},2022,Ford,F-150,${mileage},${price}`,
    ),
  ].join('\n')
const cars = (count: number, from = 1): Car[] => Array.from({ length: count }, (_, index) => ({ number: from + index }))

const priceOf = async (seller: Caller, id: string) =>
  (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles.map(({ price }) => price)
const noticesOf = async (seller: Caller) => (await seller.get<NotificationsPage>('/api/notifications')).body.items

async function aLinkedPost(...first: Car[]) {
  sheet = sheetOf(...first)
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller, post)
  t.match(await finishedImport(seller, id), { state: 'done', found: first.length, changes: null, held: null })
  const readAgain = async (...next: Car[]) => {
    sheet = sheetOf(...next)
    t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
    return finishedImport(seller, id)
  }
  const decide = (caller: Caller, decision: Parameters<typeof decideSheet>[2]) => decideSheet(caller, id, decision)
  return { id, seller, readAgain, decide }
}

t.test('previews a link: counts, ten vehicles as they will look, faults, and columns that are not read', async (t) => {
  sheet = `${sheetOf(...cars(12), { number: 13, price: '' })}\nSHORT,2020,Kia,Rio,1,1`.replaceAll(
    ',9000',
    ',"9.000,00"',
  )
  const seller = await app.signIn('Webb Bros', { city: 'Tulsa', state: 'OK' })
  const { status, body } = await seller.post<SheetPreview>('/api/spreadsheets/preview', { url: ` ${link}` })
  t.match(
    { status, ...body },
    {
      status: 200,
      found: 13,
      priced: 12,
      faults: [{ row: 15, column: 'VIN', text: 'SHORT' }],
      summary: { priceFrom: ['Price'], columns: [{ name: 'VIN', field: 'vin', sample: vinOf(1) }] },
    },
  )
  t.equal(body.vehicles.length, 10)
  t.match(body.vehicles[0], { make: 'Ford', price: 9_000, city: 'Tulsa', state: 'OK' })
  t.same((await seller.get('/api/inventory')).body, [], 'nothing is published')
})

t.test('refuses to preview a private or unreadable link, and both or neither of file and link', async (t) => {
  const seller = await app.signIn()
  const preview = (body: object) => seller.post<ErrorBody>('/api/spreadsheets/preview', body)
  for (const [body, message] of [
    [{ url: 'http://127.0.0.1:1/list.csv' }, /private address/],
    [{ url: 'ftp://example.com/list.csv' }, /must start with https/],
    [{}, /either a file or a link/],
    [{ url: link, objectId: randomUUID() }, /either a file or a link/],
  ] as const)
    t.match(await preview(body), { status: 400, body: { error: { message } } })
  sheet = '<!doctype html><title>Sign in</title>'
  t.match(await preview({ url: link }), { status: 400, body: { error: { message: /is a web page/ } } })
})

t.test('publishes an import that loses few vehicles, and lists the changes for the owner', async (t) => {
  const { seller, id, readAgain } = await aLinkedPost(...cars(10))
  const next = [{ number: 1, price: 8_500 }, { number: 2, mileage: 50_100 }, ...cars(5, 3), { number: 11 }]
  const report = await readAgain(...next)
  t.match(report, { state: 'done', found: 8, held: null, changes: { added: 1, removed: 3, changed: 2, pricesLost: 0 } })
  t.same(
    report.changes?.list.map(({ kind }) => kind),
    ['removed', 'removed', 'removed', 'changed', 'changed', 'added'],
  )
  t.match(report.changes?.list.slice(2, 6), [
    { vehicle: '2022 Ford F-150', vin: vinOf(10) },
    { vin: vinOf(1), price: { before: 9_000, after: 8_500 } },
    { vin: vinOf(2), mileage: { before: 50_000, after: 50_100 } },
    { vin: vinOf(11) },
  ])
  t.equal((await priceOf(seller, id)).length, 8)
  t.match(await noticesOf(seller), [
    { path: `/post/${id}`, title: /^Your spreadsheet was read again/, body: /^1 added, 3 removed, 2 with a different/ },
  ])
  t.match(await readAgain(...next), { state: 'done', changes: { added: 0, removed: 0, changed: 0, list: [] } })
  t.equal((await noticesOf(seller)).length, 1, 'no notice without a change')
})

t.test('holds an import that loses over 30 % of the vehicles or prices until the owner approves it', async (t) => {
  const { seller, id, readAgain, decide } = await aLinkedPost(...cars(10))
  for (const [next, changes] of [
    [cars(6), { removed: 4, list: [{ kind: 'removed', vin: vinOf(7) }] }],
    [cars(10).map((car) => (car.number > 6 ? { ...car, price: '' as const } : car)), { changed: 4, pricesLost: 4 }],
    [cars(8).map((car) => (car.number > 6 ? { ...car, price: '' as const } : car)), { removed: 2, pricesLost: 2 }],
  ] as const) {
    const { state, found, held } = await readAgain(...next)
    t.match({ state, found, held }, { state: 'held', found: 10, held: { found: next.length, changes } })
    t.same(
      await priceOf(seller, id),
      Array.from({ length: 10 }, () => 9_000),
      'the post stays as it is',
    )
  }
  t.match((await noticesOf(seller))[0], {
    path: `/post/${id}`,
    title: /^Your spreadsheet needs your approval/,
    body: 'The new version has 8 vehicles instead of 10, and 6 prices instead of 10. Publish it or keep the current version',
  })
  const { held } = await readAgain(...cars(6))
  t.match((await decide(seller, { heldId: held?.id, publish: false })).body, { state: 'done', found: 10, held: null })
  t.equal((await priceOf(seller, id)).length, 10, 'kept')
  const again = await readAgain(...cars(6))
  t.match((await decide(seller, { heldId: again.held?.id, publish: true })).body, {
    state: 'done',
    found: 6,
    held: null,
    changes: { removed: 4 },
  })
  t.equal((await priceOf(seller, id)).length, 6, 'published')
})

t.test('publishes other vehicles in place of those that are gone', async (t) => {
  const { readAgain } = await aLinkedPost(...cars(10))
  t.match(await readAgain(...cars(6), ...cars(4, 20)), { state: 'done', changes: { added: 4, removed: 4 } })
})

t.test('counts neither sold vehicles nor a gain as a loss', async (t) => {
  const { seller, id, readAgain } = await aLinkedPost(...cars(4))
  const { vehicles } = (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
  for (const vehicle of vehicles.slice(0, 2))
    await seller.patch(`/api/inventory/${id}`, { vehicle: { id: vehicle.id, status: 'sold' } })
  t.match(await readAgain(...cars(8, 3)), { state: 'done', changes: { added: 6, removed: 2 } })
})

t.test('lets only the owner see and decide about a held import, and only the import that they saw', async (t) => {
  const { seller, id, readAgain, decide } = await aLinkedPost(...cars(10))
  const other = await app.signIn('Boyle Motor')
  const { held: first } = await readAgain(...cars(5))
  const { held } = await readAgain(...cars(6))
  const decision = { heldId: held?.id, publish: true }
  t.equal((await other.get(`/api/inventory/${id}/sheet`)).status, 404)
  for (const publish of [true, false]) t.equal((await decide(other, { heldId: held?.id, publish })).status, 404)
  t.equal((await app.visitor.post(`/api/inventory/${id}/sheet/decision`, decision)).status, 401)
  t.match((await seller.get<PostDetail>(`/api/inventory/${id}`)).body, { vehicleCount: 10 })
  for (const heldId of [first?.id, randomUUID()])
    t.equal((await decide(seller, { heldId, publish: true })).status, 409, 'another import waits')
  t.equal((await decide(seller, decision)).status, 200)
  t.equal((await decide(seller, decision)).status, 409, 'pressed twice')
})

t.test('does not publish a held import to a post that is no longer active', async (t) => {
  const { seller, id, readAgain, decide } = await aLinkedPost(...cars(10))
  const { held } = await readAgain(...cars(5))
  t.equal((await seller.patch(`/api/inventory/${id}`, { status: 'sold' })).status, 200)
  t.match(await decide(seller, { heldId: held?.id, publish: true }), {
    status: 409,
    body: { error: { message: /^This post is not active/ } },
  })
  t.equal((await decide(seller, { heldId: held?.id, publish: false })).status, 200)
})

t.test('holds the first import if the dealer saw no preview, or a much better one', async (t) => {
  const seller = await app.signIn('Webb Bros')
  for (const [sheetSeen, state] of [
    [{ vehicles: 0, prices: 0 }, 'held'],
    [{ vehicles: 10, prices: 10 }, 'held'],
    [{ vehicles: 6, prices: 9 }, 'held'],
    [{ vehicles: 7, prices: 7 }, 'done'],
    [{ vehicles: 5, prices: 0 }, 'done'],
  ] as const) {
    sheet = sheetOf(...cars(6))
    const id = await publish(seller, { ...post, sheetSeen })
    const report = await finishedImport(seller, id)
    t.match(report, { state, found: state === 'held' ? 0 : 6, changes: null })
    t.equal((await priceOf(seller, id)).length, report.found)
    if (state === 'done') continue
    t.match(report.held, { found: 6, priced: 6, changes: null, vehicles: [{ vin: vinOf(1) }] })
    t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
    const again = await finishedImport(seller, id)
    t.match(again, { state: 'held' }, 'and when it is read again')
    const published = await decideSheet(seller, id, { heldId: again.held?.id, publish: true })
    t.match(published.body, { state: 'done', found: 6 })
    t.equal((await priceOf(seller, id)).length, 6)
    t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
    t.match(await finishedImport(seller, id), { state: 'done' }, 'later imports are compared with the published one')
  }
})

t.test('holds a first import whose vehicles changed after the preview', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const preview = async () => {
    sheet = sheetOf(...cars(10))
    const { body } = await seller.post<SheetPreview>('/api/spreadsheets/preview', { url: link })
    return { vehicles: body.found, prices: body.priced, vins: body.withVin, vehiclesKey: body.vehiclesKey }
  }
  const sheetSeen = await preview()
  t.same(await preview(), sheetSeen, 'the same sheet has the same key')
  const same = await publish(seller, { ...post, sheetSeen })
  t.match(await finishedImport(seller, same), { state: 'done', found: 10 })
  sheet = sheetOf(...cars(9), { number: 10, price: 300 })
  const id = await publish(seller, { ...post, sheetSeen })
  const report = await finishedImport(seller, id)
  t.match(report, { state: 'held', found: 0, held: { found: 10, changes: null, isOtherThanPreview: true } })
  t.match((await noticesOf(seller))[0], {
    path: `/post/${id}`,
    body: 'The spreadsheet changed after your preview. 10 vehicles found. Check and publish them',
  })
  sheet = sheetOf(...cars(10))
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  t.match(await finishedImport(seller, id), { state: 'done', found: 10 }, 'and publishes the previewed vehicles')
})
