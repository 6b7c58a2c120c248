import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import type { SheetPreview } from '#shared/schemas/posting.ts'
import { spreadsheetsJobs } from '#server/features/posting/posting.jobs.ts'
import { seededRandom } from '#server/db/seed/random.ts'
import { makeVehicle } from '#server/db/seed/vehicles.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { publish } from '#tests/support/factories.ts'
import { addCalls } from '#tests/support/limits.ts'
import { finishedImport } from '#tests/support/imports.ts'
import { anXlsx, aWorkbook, startWebsite } from '#tests/support/sheets.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

type Listener = Parameters<typeof startWebsite>[1]

let listener: Listener = (_request, response) => response.writeHead(404).end()
const host = await startWebsite(t, (...exchange) => listener(...exchange))
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
t.beforeEach(app.startOver)

const answerWith = (next: Listener) => void (listener = next)

const csv = `Lot list,,,,
Stock #,VIN Number,Year,Make,Model,Odometer,Asking Price,Ext. Color
1,1FTFW1E59NKD69096,2022,Ford,F-150,"48,210 mi","$31,900.50",Gray
2,4T1BE46K19U856421,,,Camry,92k,8950,
3,SHORTVIN,2020,Honda,Civic,1,1,
4,,2019,,,1,1,
5,1FTFW1E59NKD69096,2022,Ford,F-150,1,1,
6,1FTFW1E59NKD69O96,2022,Ford,F-150,1,1,
`

const sheetPost = (link: string) => ({ type: 'spreadsheet' as const, vehicles: [], spreadsheetUrl: link })

t.test('lists the vehicles of a spreadsheet link and reports the rows left out', async (t) => {
  answerWith((_request, response) => response.setHeader('content-type', 'text/csv').end(csv))
  const [seller, reader] = [await app.signIn('Webb Bros', { city: 'Tulsa', state: 'OK' }), await app.signIn()]
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  t.match(await finishedImport(seller, id), {
    state: 'done',
    found: 2,
    faults: [
      { row: 5, message: 'the VIN has 8 characters instead of 17' },
      { row: 6, message: 'no VIN, and no make and model' },
      { row: 7, message: 'the same VIN as row 3' },
      { row: 8, message: 'the VIN has an I, O or Q, which VINs never contain' },
    ],
    summary: { priceFrom: ['Asking Price'], unread: ['Stock #'], hiddenRows: 0, moreFaults: 0 },
  })
  const { body } = await reader.get<PostDetail>(`/api/inventory/${id}`)
  t.match(body, { vehicleCount: 2, availableCount: 2 })
  t.match(body.vehicles, [
    { make: 'Ford', mileage: 48_210, price: 31_900.5, color: 'Gray', city: 'Tulsa', state: 'OK' },
    { year: 2009, make: 'Toyota', model: 'Camry', mileage: 92_000 },
  ])
  t.equal((await reader.get(`/api/inventory/${id}/sheet`)).status, 404, 'only the owner can read the report')
})

t.test(
  'puts a vehicle in the state that its row gives by code or by name, and in none if the state is unknown',
  async (t) => {
    const places = [
      'Reno,Nevada',
      'Yuma,Arizona',
      ',new york',
      'Boise,ID 83702',
      'Hull,qc',
      'Paris,France',
      'Enid,',
      ',',
    ]
    const rows = places.map((place) => `2020,Honda,Civic,${place}`)
    answerWith((_request, response) => response.end(['Year,Make,Model,City,State', ...rows].join('\n')))
    const seller = await app.signIn('Webb Bros', { city: 'Tulsa', state: 'OK' })
    const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
    t.match(await finishedImport(seller, id), { state: 'done', found: places.length })
    const { body } = await seller.get<PostDetail>(`/api/inventory/${id}`)
    t.same(
      body.vehicles.map(({ city, state }) => [city, state]),
      [
        ['Reno', 'NV'],
        ['Yuma', 'AZ'],
        [null, 'NY'],
        ['Boise', 'ID'],
        ['Hull', 'QC'],
        ['Paris', null],
        ['Enid', 'OK'],
        ['Tulsa', 'OK'],
      ],
    )
  },
)

t.test('explains why it refuses a table with characters that no database stores', async (t) => {
  const table = 'VIN,Year,Make,Model\n1FTFW1E59NKD69096,2022,Fo\0rd,\0F-150\n'
  answerWith((_request, response) => response.end(table))
  const seller = await app.signIn()
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  t.match(await finishedImport(seller, id), { state: 'failed', found: 0, error: String })
})

t.test('imports a thousand rows of a workbook', async (t) => {
  const random = seededRandom(1)
  const vehicles = Array.from({ length: 1_000 }, () => makeVehicle(random, 2026))
  const rows = vehicles.map(({ vin, year, make, model, mileage }) => [vin, year, make, `${model} & more`, mileage])
  const workbook = anXlsx([['VIN', 'Year', 'Make', 'Model', 'Miles'], ...rows])
  answerWith((_request, response) => response.end(workbook))
  const seller = await app.signIn()
  const id = await publish(seller, sheetPost(`http://${host}/list.xlsx`))
  const report = await finishedImport(seller, id)
  t.match(report, { state: 'done', found: 1_000, faults: [] }, report.error ?? '')
  const { body } = await seller.get<PostDetail>(`/api/inventory/${id}`)
  t.match(body.vehicles.at(-1), { vin: vehicles.at(-1)?.vin, model: `${vehicles.at(-1)?.model} & more` })
})

t.test('lists a sheet with more words than a search can hold', async (t) => {
  const word = (length: number, seed: number) =>
    String.fromCharCode(...Array.from({ length }, (_, index) => 0x4e00 + ((seed * 7_919 + index * 104_729) % 20_000)))
  const rows = Array.from({ length: 2_000 }, (_, index) => `Make${index},${word(80, index)}-${word(80, index + 1)}`)
  const sheet = ['Make,Model,Trim,Color,City', ...rows.map((row) => `${row},${row}`)].join('\n')
  answerWith((_request, response) => response.end(sheet))
  const seller = await app.signIn()
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  const report = await finishedImport(seller, id)
  t.match(report, { state: 'done', found: 2_000 }, report.error ?? '')
  const found = await seller.get<Post[]>('/api/inventory?search=Make7')
  t.match(found.body, [{ id }], 'by its first words')
})

t.test('tells the owner why a link cannot be used, and allows another try', async (t) => {
  let page = (): string => '<!doctype html><title>Sign in</title>'
  answerWith(({ url }, response) => {
    if (url === '/secret') response.writeHead(403).end()
    else if (url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    else response.end(page())
  })
  const seller = await app.signIn()
  const failures: [string, RegExp][] = [
    [`http://${host}/secret`, /not publicly accessible/],
    [`http://${host}/inside`, /private address/],
    ['http://127.0.0.1:1/list.csv', /private address/],
    ['http://[::1]/list.csv', /private address/],
    ['http://localhost:1/list.csv', /private address/],
    [`http://${host}/page`, /is a web page/],
  ]
  for (const [link, reason] of failures) {
    const report = await finishedImport(seller, await publish(seller, sheetPost(link)))
    t.equal(report.state, 'failed', link)
    t.match(report.error, reason)
  }
  const id = await publish(seller, sheetPost(`http://${host}/page`))
  await finishedImport(seller, id)
  const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
  t.match(
    items.find(({ path }) => path === `/post/${id}`),
    { kind: 'unreadable', title: /^Your spreadsheet could not be read/, body: /is a web page/ },
    'notified on every device',
  )
  page = () => csv
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  t.match(await finishedImport(seller, id), { state: 'done', found: 2 })
})

async function uploadSheet(seller: Caller, file: Buffer): Promise<{ objectId: string }> {
  const { uploadURL, objectId } = await allowUpload(seller, { kind: 'sheet' })
  const { status } = await putFile(uploadURL, file, 'text/csv')
  if (status !== 200) throw new Error(`the upload was refused: ${status}`)
  return { objectId }
}

const previewOf = async (seller: Caller, file: Buffer) =>
  seller.post<SheetPreview>('/api/spreadsheets/preview', await uploadSheet(seller, file))

t.test('previews an uploaded file for its owner only', async (t) => {
  const { signIn } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const upload = await uploadSheet(seller, Buffer.from(csv))
  const { body } = await seller.post<SheetPreview>('/api/spreadsheets/preview', upload)
  t.equal(body.vehicles.length, 2)
  t.equal(body.faults.length, 4)
  t.equal((await other.post('/api/spreadsheets/preview', upload)).status, 404)
  for (const text of [`\ufeff${csv}`, csv])
    t.equal((await previewOf(seller, Buffer.from(text, 'utf16le'))).body.vehicles.length, 2, 'also in UTF-16')
})

t.test('requires the plan for posting before a preview, and limits previews per hour', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on' })
  await askForPlans(t, limited)
  const { signIn } = limited
  const [seller, unpaid] = [await signIn('Webb Bros'), await signIn('Boyle Motor', { plan: null })]
  const nothing = { objectId: randomUUID() }
  const preview = (caller: Caller) => caller.post<ErrorBody>('/api/spreadsheets/preview', nothing)
  t.match(await preview(unpaid), { status: 402, body: { error: { details: { plan: 'subscribe' } } } })
  t.equal((await preview(seller)).status, 404)
  await addCalls(limited, `sheet-previews:${seller.id}`, 28)
  t.equal((await preview(seller)).status, 404, 'the thirtieth')
  const refused = await preview(seller)
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
})

t.test('asks clients to retry when it has too many files to read, and forgets none', async (t) => {
  const { signIn } = app
  const seller = await signIn()
  const upload = await uploadSheet(seller, Buffer.from(csv))
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => seller.post<SheetPreview & ErrorBody>('/api/spreadsheets/preview', upload)),
  )
  const refused = answers.filter(({ status }) => status === 503)
  t.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} of ${answers.length} refused`)
  for (const { headers, body } of refused) {
    t.match(body.error, { code: 'unavailable', message: /Many spreadsheets are being read right now/ })
    t.ok(Number(headers.get('retry-after')) > 0)
  }
  const read = answers.filter(({ status }) => status !== 503)
  t.ok(read.every(({ status, body }) => status === 200 && body.vehicles.length === 2))
})

t.test('reads a workbook as its author sees it', async (t) => {
  const { signIn } = app
  const seller = await signIn()
  const text = (value: string) => `<c t="inlineStr"><is>${value}</is></c>`
  const words = (...values: string[]) => values.map((value) => text(`<t>${value}</t>`)).join('')
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="m/d/yy h:mm;@"/><numFmt numFmtId="165" formatCode="#,##0&quot; miles&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/></cellXfs>`
  const cars = `<row><c r="B1" t="s"><v>0</v></c>${words('Make', 'Model', 'Trim', 'Miles', 'Price', 'Notes')}</row>
    <row r="7"><c r="B7"><v>2022</v></c><c r="C7" t="s"><v>1</v></c>${text('<r><t>F-</t></r><r><t>150 &amp;&#x41;</t></r><rPh sb="0" eb="1"><t>hint</t></rPh>')}<c s="0"><v>3.2999999999999998</v></c><c s="3"><v>4.8210000000000001E4</v></c><c s="4"><v>31900.5</v></c><c s="1"><v>44621</v></c></row>
    <row><c r="B8" s="1"><v>44621</v></c>${words('Ram', '1500')}<c r="F8"><f>F7*2</f><v>96420</v></c><c r="G8" t="e"><v>#N/A</v></c><c t="b"><v>1</v></c></row>
    <row><c r="C9" t="str"><f>UPPER("kia")</f><v>KIA</v></c>${words('Rio')}<c r="H9" s="2"><v>44621.75</v></c></row>
    <row r="12"><c r="B12"><v>1850</v></c>${words('Ford', 'Model T')}</row>
    <row r="1048576"><c r="XFD1048576" s="1"/><c r="A1048576" t="inlineStr"><is><t> </t></is></c></row>`
  const strings = '<si><t>Year</t></si><si><r><t>For</t></r><r><t xml:space="preserve">d</t></r></si>'
  const sheets = ['<row><c><v>1</v></c></row>', cars, '<row><c><v>2</v></c></row>']
  const workbook = { sheets, tabs: ['state="veryHidden"'], strings, styles }
  const { status, body } = await previewOf(seller, aWorkbook(workbook))
  t.match(
    { status, ...body },
    {
      status: 200,
      vehicles: [
        {
          year: 2022,
          make: 'Ford',
          model: 'F-150 &A',
          trim: '3.3',
          mileage: 48_210,
          price: 31_900.5,
          notes: '2022-03-01',
        },
        { year: 2022, make: 'Ram', model: '1500', mileage: 96_420, notes: 'TRUE' },
        { make: 'KIA', model: 'Rio', notes: '2022-03-01 18:00' },
        { make: 'Ford', model: 'Model T' },
      ],
      faults: [
        { row: 8, column: 'Price', text: '#N/A', listed: true },
        { row: 12, column: 'Year', text: '1850', message: 'the year 1850 is not between 1900 and 2030', listed: true },
      ],
    },
  )
  t.notOk(body.vehicles[1]?.price, 'a formula error is no price')
  const since1904 = await previewOf(seller, aWorkbook({ ...workbook, properties: 'date1904="1"' }))
  t.match(since1904.body.vehicles, [{ notes: '2026-03-02' }], 'dates count from 1904')
})

t.test(
  'reads twenty-five thousand rows and a thousand columns, and takes as many vehicles as a post may have',
  async (t) => {
    const { signIn } = app
    const seller = await signIn()
    const sheet = (rows: number) => Buffer.from(`Make,Model\n${'Ford,F-150\n'.repeat(rows - 1)}${',\n'.repeat(100)}`)
    const { body } = await previewOf(seller, sheet(25_000))
    t.equal(body.vehicles.length, 200)
    t.match(body.faults[0], { row: 202, message: 'a post can have up to 200 vehicles' })
    t.same([body.faults.length, body.summary.moreFaults], [500, 24_299], 'later faults are counted')
    const lines = (width: number) =>
      Buffer.from(`Make,Model${',x'.repeat(width - 2)}\nFord,F-150${','.repeat(width + 50)}\n`)
    t.equal((await previewOf(seller, lines(1_000))).body.vehicles.length, 1, 'empty cells do not count')
    t.match(await previewOf(seller, lines(1_001)), {
      status: 400,
      body: { error: { message: /more than 1,000 columns/ } },
    })
    t.match(await previewOf(seller, sheet(25_001)), {
      status: 400,
      body: { error: { message: /more than 25,000 rows/ } },
    })
  },
)

t.test('keeps a vehicle with its VIN and its offer when a sheet is read again', async (t) => {
  const vins = ['1FTFW1E59NKD69096', '4T1BE46K19U856421', '1FTFW1E50MFA00001'] as const
  const sheetOf = (rows: readonly (readonly [string, number])[]) =>
    ['VIN,Year,Make,Model,Price', ...rows.map(([vin, price]) => `${vin},2021,Ford,F-150,${price}`)].join('\n')
  let sheet = sheetOf([
    [vins[0], 30_000],
    [vins[1], 20_000],
  ])
  answerWith((_request, response) => response.setHeader('content-type', 'text/csv').end(sheet))
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors')]
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  await finishedImport(seller, id)
  const vehicles = async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles
  const [first, second] = await vehicles()
  const offer = { vehicleId: first?.id, amount: 25_000 }
  t.equal((await buyer.post(`/api/inventory/${id}/offers`, offer)).status, 201)
  sheet = sheetOf([
    [vins[2], 10_000],
    [vins[0].toLowerCase(), 28_000],
  ])
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  await finishedImport(seller, id)
  const after = await vehicles()
  t.match(after, [
    { vin: vins[2], price: 10_000 },
    { id: first?.id, vin: vins[0], price: 28_000 },
  ])
  t.notOk(after.some(({ id: one }) => one === second?.id))
  t.match((await buyer.get('/api/offers?open=true')).body, [{ vehicleId: first?.id, status: 'open' }])
})

t.test('reads a sheet again that was corrected while it was read', async (t) => {
  const table = (make: string) => `VIN,Year,Make,Model\n1FTFW1E59NKD69096,2022,${make},F-150\n`
  const answer = new EventEmitter()
  let asked = 0
  answerWith(async (_request, response) => {
    asked += 1
    response.setHeader('content-type', 'text/csv')
    if (asked > 1) return response.end(table('Ford'))
    await once(answer, 'now')
    return response.end(table('Fjord'))
  })
  const seller = await app.signIn()
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  await until('the request', () => asked === 1)
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  answer.emit('now')
  t.match(await finishedImport(seller, id), { state: 'done', found: 1 })
  const { body } = await seller.get<PostDetail>(`/api/inventory/${id}`)
  t.match(body.vehicles, [{ make: 'Ford' }], 'done only after the last import')
})

t.test('shows on the post why a sheet was not imported, and does not retry in vain', async (t) => {
  const { db, transact } = app.server.ctx
  const answer = new EventEmitter()
  let asked = 0
  answerWith(async (_request, response) => {
    asked += 1
    if (asked === 1) await once(answer, 'now')
    return response.end(csv)
  })
  const [seller, admin] = [await app.signIn(), await app.signIn('Lanewire', { role: 'admin' })]
  const id = await publish(seller, sheetPost(`http://${host}/list.csv`))
  await until('the request', () => asked === 1)
  await admin.post('/api/reports', { kind: 'post', subjectId: id, reason: 'misleading' })
  const decide = (act: string) => admin.post(`/api/admin/moderation/post/${id}`, { act, reason: 'Not his cars' })
  t.equal((await decide('hide')).status, 200)
  answer.emit('now')
  t.match(await finishedImport(seller, id), { state: 'failed', error: /hid this post/ })
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 404, 'nobody can change a hidden post')
  t.equal((await decide('restore')).status, 200)
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  t.match(await finishedImport(seller, id), { state: 'done', found: 2 })
  await db.updateTable('sheetImports').set({ state: 'waiting' }).where('postId', '=', id).execute()
  await transact(async (tx, emit) => {
    const definition = spreadsheetsJobs['sheet.import']
    if ('gaveUp' in definition) await definition.gaveUp?.(tx, emit, { postId: id }, 'away')
  })
  t.match(await finishedImport(seller, id), { state: 'failed', error: /could not be read/ })
  asked = 0
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  await until('the request', () => asked === 1)
  t.equal((await seller.patch(`/api/inventory/${id}`, { status: 'sold' })).status, 200)
  answer.emit('now')
  const over = /is not active/
  t.match(await finishedImport(seller, id), { state: 'failed', error: over }, 'sold during the import')
  t.match(await seller.post(`/api/inventory/${id}/sheet`), { status: 409, body: { error: { message: over } } })
  t.match((await seller.get(`/api/inventory/${id}`)).body, { status: 'sold', availableCount: 0 })
})
