import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { SheetPreview, SheetReport } from '#shared/schemas/spreadsheets.ts'
import { seededRandom } from '#server/db/seed/random.ts'
import { makeVehicle } from '#server/db/seed/vehicles.ts'
import { isPublicAddress } from '#server/platform/guarded-fetch.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { anXlsx, startWebsite } from '#tests/support/sheets.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const csv = `Lot list,,,,
Stock #,VIN Number,Year,Make,Model,Odometer,Asking Price,Ext. Color
1,1FTFW1E59NKD69096,2022,Ford,F-150,"48,210 mi","$31,900.50",Gray
2,4T1BE46K19U856421,,,Camry,92k,8950,
3,SHORTVIN,2020,Honda,Civic,1,1,
4,,2019,,,1,1,
5,1FTFW1E59NKD69096,2022,Ford,F-150,1,1,
`

const finished = (seller: Caller, id: string) =>
  until('the import', async () => {
    const { body } = await seller.get<SheetReport>(`/api/inventory/${id}/sheet`)
    return body.state === 'waiting' ? undefined : body
  })

const sheetPost = (link: string) => ({ type: 'spreadsheet' as const, vehicles: [], spreadsheetUrl: link })

t.test('a spreadsheet post lists the vehicles of its link, and says which rows it left out', async (t) => {
  const host = await startWebsite(t, (_request, response) => response.setHeader('content-type', 'text/csv').end(csv))
  const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const [seller, reader] = [await app.signIn('Webb Bros', { city: 'Tulsa', state: 'OK' }), await app.signIn()]
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  t.match(await finished(seller, id), {
    state: 'done',
    found: 2,
    faults: [
      { row: 5, message: 'the VIN has 8 characters instead of 17' },
      { row: 6, message: 'no VIN, and no make and model' },
      { row: 7, message: 'the VIN of row 3 again' },
    ],
  })
  const { body } = await reader.get<PostDetail>(`/api/inventory/${id}`)
  t.match(body, { vehicleCount: 2, availableCount: 2 })
  t.match(body.vehicles, [
    { make: 'Ford', mileage: 48_210, price: 31_900.5, color: 'Gray', city: 'Tulsa', state: 'OK' },
    { year: 2009, make: 'Toyota', model: 'Camry', mileage: 92_000 },
  ])
  t.equal((await reader.get(`/api/inventory/${id}/sheet`)).status, 404, 'the report is its owner’s')
})

t.test('a thousand rows of a workbook are taken over', async (t) => {
  const random = seededRandom(1)
  const vehicles = Array.from({ length: 1_000 }, () => makeVehicle(random, 2026))
  const rows = vehicles.map(({ vin, year, make, model, mileage }) => [vin, year, make, `${model} & more`, mileage])
  const workbook = anXlsx([['VIN', 'Year', 'Make', 'Model', 'Miles'], ...rows])
  const host = await startWebsite(t, (_request, response) => response.end(workbook))
  const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const seller = await app.signIn()
  const id = await publish(seller, sheetPost(`http://${host}/list.xlsx`))
  const report = await finished(seller, id)
  t.match(report, { state: 'done', found: 1_000, faults: [] }, report.error ?? '')
  const { body } = await seller.get<PostDetail>(`/api/inventory/${id}`)
  t.match(body.vehicles.at(-1), { vin: vehicles.at(-1)?.vin, model: `${vehicles.at(-1)?.model} & more` })
})

t.test('a link that cannot be used is a failure that its owner reads and can try again', async (t) => {
  let page = (): string => '<!doctype html><title>Sign in</title>'
  const host = await startWebsite(t, ({ url }, response) => {
    if (url === '/secret') response.writeHead(403).end()
    else if (url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    else response.end(page())
  })
  const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const seller = await app.signIn()
  const failures: [string, RegExp][] = [
    [`http://${host}/secret`, /not publicly accessible/],
    [`http://${host}/inside`, /private address/],
    ['http://127.0.0.1:1/list.csv', /private address/],
    ['http://[::1]/list.csv', /private address/],
    ['http://localhost:1/list.csv', /private address/],
    [`http://${host}/page`, /shows a web page/],
  ]
  for (const [link, reason] of failures) {
    const report = await finished(seller, await publish(seller, sheetPost(link)))
    t.equal(report.state, 'failed', link)
    t.match(report.error, reason)
  }
  const id = await publish(seller, sheetPost(`http://${host}/page`))
  await finished(seller, id)
  const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
  t.match(
    items.find(({ path }) => path === `/post/${id}`),
    { kind: 'unreadable', title: /^Your spreadsheet could not be read/, body: /shows a web page/ },
    'wherever its seller is by now',
  )
  page = () => csv
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  t.match(await finished(seller, id), { state: 'done', found: 2 })
})

t.test('an uploaded file is previewed for its owner only', async (t) => {
  const { signIn } = await startApp(t)
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const { uploadURL, objectId } = await allowUpload(seller, { kind: 'sheet' })
  t.equal((await putFile(uploadURL, Buffer.from(csv), 'text/csv')).status, 200)
  const { body } = await seller.post<SheetPreview>('/api/spreadsheets/preview', { objectId })
  t.equal(body.vehicles.length, 2)
  t.equal(body.faults.length, 3)
  t.equal((await other.post('/api/spreadsheets/preview', { objectId })).status, 404)
})

t.test('only public addresses count as public', async (t) => {
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'not an address',
  ])
    // prettier-ignore
    t.notOk(isPublicAddress(address), address)
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111']) t.ok(isPublicAddress(address), address)
})
