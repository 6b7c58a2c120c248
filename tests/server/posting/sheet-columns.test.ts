import t from 'tap'
import type { SheetColumnChoice, SheetPreview } from '#shared/schemas/posting.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { readSheet } from '#server/features/posting/sheets/sheet-reader.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { finishedImport } from '#tests/support/imports.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'

const csv = (...lines: string[]) => lines.join('\n')
const car = '1FTFW1E59NKD69096,2022,Ford,F-150,48000,31000,29500'
const sheet = csv('VIN,Year,Make,Model,Miles,Asking Price,Net', car)

let linked = ''
const host = await startWebsite(t, (_request, response) => response.setHeader('content-type', 'text/csv').end(linked))
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
t.beforeEach(app.startOver)

async function preview(seller: Caller, file: string, columns?: SheetColumnChoice) {
  const { uploadURL, objectId } = await allowUpload(seller, { kind: 'sheet' })
  await putFile(uploadURL, Buffer.from(file), 'text/csv')
  const { body } = await seller.post<SheetPreview>('/api/spreadsheets/preview', { objectId, columns })
  return { price: body.vehicles[0]?.price, chosen: body.summary.chosen }
}

t.test("remembers a dealer's columns for these headings: for files, links and imports", async (t) => {
  const [seller, other] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  t.match(await preview(seller, sheet), { price: 31_000, chosen: undefined })
  const chosen = { price: 'Net' }
  t.match(await preview(seller, sheet, chosen), { price: 29_500, chosen })
  t.match(await preview(seller, sheet), { price: 29_500, chosen }, 'the next file')
  const moved = csv('NET,Asking price,VIN,Year,Make,Model,Miles', '28000,31000,1FTFW1E59NKD69096,2022,Ford,F-150,48000')
  t.match(await preview(seller, moved), { price: 28_000 }, 'in another order and case')
  t.match(await preview(seller, sheet.replace('Net', 'Cost')), { price: 31_000, chosen: undefined }, 'other headings')
  t.match(await preview(other, sheet), { price: 31_000, chosen: undefined }, 'another dealer')
  linked = sheet
  const link = { url: `http://${host}/list.csv` }
  t.match((await seller.post<SheetPreview>('/api/spreadsheets/preview', link)).body.vehicles, [{ price: 29_500 }])
  for (const [dealer, price] of [
    [seller, 29_500],
    [other, 31_000],
  ] as const) {
    const id = await publish(dealer, { type: 'spreadsheet', vehicles: [], spreadsheetUrl: link.url })
    t.match(await finishedImport(dealer, id), { state: 'done', found: 1 })
    t.match((await dealer.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles, [{ price }])
  }
  t.match(await preview(seller, sheet, {}), { price: 31_000, chosen: undefined }, 'forgets them')
  t.match(await preview(seller, sheet), { price: 31_000, chosen: undefined })
})

t.test("removes a dealer's corrections from a live post, and reads its link again", async (t) => {
  const [seller, other] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  linked = sheet
  const url = `http://${host}/list.csv`
  const chosen = { price: 'Net', color: null }
  for (const dealer of [seller, other])
    await dealer.post<SheetPreview>('/api/spreadsheets/preview', { url, columns: chosen })
  const id = await publish(seller, { type: 'spreadsheet', vehicles: [], spreadsheetUrl: url })
  t.match(await finishedImport(seller, id), { state: 'done', summary: { chosen, priceFrom: ['Net'] } })
  const priceOf = async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles[0]?.price
  t.equal(await priceOf(), 29_500)
  const forget = (caller: Caller) => caller.delete(`/api/inventory/${id}/sheet/columns`)
  t.equal((await forget(other)).status, 404)
  t.match(await finishedImport(seller, id), { summary: { chosen } })
  t.equal((await forget(seller)).status, 200)
  const report = await finishedImport(seller, id)
  t.match(report, { state: 'done', summary: { priceFrom: ['Asking Price'] }, changes: { changed: 1 } })
  t.equal(report.summary?.chosen, undefined)
  t.equal(await priceOf(), 31_000)
  t.match(await preview(seller, sheet), { price: 31_000, chosen: undefined }, 'and in previews')
  t.match(await preview(other, sheet), { price: 29_500 }, 'another dealer keeps theirs')
})

t.test('removes the corrections that a held import was read with', async (t) => {
  const seller = await app.signIn('Webb Bros')
  linked = sheet
  const url = `http://${host}/list.csv`
  await seller.post<SheetPreview>('/api/spreadsheets/preview', { url, columns: { price: null } })
  const sheetSeen = { vehicles: 0, prices: 0 }
  const id = await publish(seller, { type: 'spreadsheet', vehicles: [], spreadsheetUrl: url, sheetSeen })
  t.match(await finishedImport(seller, id), {
    state: 'held',
    held: { priced: 0, summary: { chosen: { price: null } } },
  })
  t.equal((await seller.delete(`/api/inventory/${id}/sheet/columns`)).status, 200)
  t.match(await finishedImport(seller, id), { state: 'held', held: { priced: 1 } })
})

const read = async (file: string, now?: SheetColumnChoice) =>
  readSheet({ content: Buffer.from(file), place: { city: '', state: '' }, vehiclesMax: 10, choices: { now } })

t.test('reads the column that the dealer chose for a field, or none', async (t) => {
  const cases: [SheetColumnChoice, object][] = [
    [{}, { price: 31_000, mileage: 48_000 }],
    [{ price: 'Net' }, { price: 29_500, mileage: 48_000 }],
    [{ price: null }, { price: undefined, mileage: 48_000 }],
    [{ price: 'Miles' }, { price: 48_000, mileage: undefined }],
    [
      { price: 'Miles', mileage: 'Net' },
      { price: 48_000, mileage: 29_500 },
    ],
    [{ trim: 'Net' }, { price: 31_000, trim: '29500' }],
    [{ price: 'MSRP' }, { price: 31_000 }],
    [{ vin: null }, { vin: undefined, make: 'Ford' }],
  ]
  for (const [choice, right] of cases) {
    const { vehicles } = await read(sheet, choice)
    t.match(vehicles[0], right, JSON.stringify(choice))
  }
  const { summary } = await read(sheet, { price: 'Net', color: null })
  t.same(summary.chosen, { price: 'Net', color: null })
  t.same(summary.priceFrom, ['Net'])
  t.same(summary.unread, ['Asking Price'])
})

t.test('reads a chosen column in the unit of its heading', async (t) => {
  const { vehicles } = await read(
    csv('VIN,Year,Make,Model,Miles,Distance (km),Due (000s)', `${car.slice(0, 32)},,72000,29.5`),
    {
      mileage: 'Distance (km)',
      price: 'Due (000s)',
    },
  )
  t.match(vehicles, [{ mileage: 44_739, price: 29_500 }])
})

t.test('names each column once, and shows the first text below it', async (t) => {
  const { summary } = await read(csv('VIN,Make,Model,Net,Net,,', '1FTFW1E59NKD69096,Ford,F-150,,29500,x,'))
  t.same(summary.columns, [
    { name: 'VIN', field: 'vin', sample: '1FTFW1E59NKD69096' },
    { name: 'Make', field: 'make', sample: 'Ford' },
    { name: 'Model', field: 'model', sample: 'F-150' },
    { name: 'Net', field: null, sample: '' },
    { name: 'Net (column E)', field: null, sample: '29500' },
    { name: 'column F, without a heading', field: null, sample: 'x' },
  ])
  for (const price of ['Net (column E)'])
    t.match((await read(csv('VIN,Make,Model,Net,Net', '1FTFW1E59NKD69096,Ford,F-150,1,29500'), { price })).vehicles, [
      { price: 29_500 },
    ])
})

t.test('lets a dealer choose a column without a heading, also the last one', async (t) => {
  const vin = '1FTFW1E59NKD69096'
  for (const [lines, name] of [
    [['VIN,Make,Model', `${vin},Ford,F-150,29500`, '5YJ3E1EA7KF317000,Tesla,3,22000'], 'column D, without a heading'],
    [['VIN,Make,Model', `${vin},Ford,F-150,,29500`, '5YJ3E1EA7KF317000,Tesla,3,,22000'], 'column E, without a heading'],
    [['VIN,,Make,Model', `${vin},29500,Ford,F-150`], 'column B, without a heading'],
  ] as const) {
    const { vehicles, summary } = await read(csv(...lines), { price: name })
    t.match(vehicles[0], { vin, price: 29_500 }, name)
    t.match(
      summary.columns?.find((column) => column.name === name),
      { field: 'price', sample: '29500' },
    )
  }
})

/** Returns a sheet with two vehicles. If most rows are wider than the header row, the server assumes a column without a heading. */
const twoCars = (heading: string, row: string) =>
  csv(heading, row, row.replace('1FTFW1E59NKD69096', '5YJ3E1EA7KF317000'))

t.test('forgets a column chosen by its letter as soon as the columns are arranged otherwise', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const vin = '1FTFW1E59NKD69096'
  const chosen = { price: 'column D, without a heading' }
  const first = twoCars('VIN,Make,Model', `${vin},Ford,F-150,29500,7100`)
  t.match(await preview(seller, first, chosen), { price: 29_500, chosen })
  t.match(await preview(seller, first.replace('29500', '28000')), { price: 28_000, chosen }, 'the same columns')
  for (const [what, file] of [
    ['a column is inserted', twoCars('VIN,Make,Model', `${vin},Ford,F-150,2,29500,7100`)],
    ['a column is inserted with the same number', twoCars('VIN,,Make,Model', `${vin},1500,Ford,F-150,29500`)],
    ['the named columns are in another order', twoCars('Make,Model,VIN', `Ford,F-150,${vin},7100,29500`)],
  ] as const)
    t.match(await preview(seller, file), { price: undefined, chosen: undefined }, what)
  const twice = { price: 'Net (column E)' }
  const doubled = (a: string, b: string) => twoCars('VIN,Make,Model,Net,Net', `${vin},Ford,F-150,${a},${b}`)
  t.match(await preview(seller, doubled('7100', '29500'), twice), { price: 29_500, chosen: twice })
  const moved = twoCars('VIN,Net,Make,Model,Net', `${vin},29500,Ford,F-150,7100`)
  t.match(await preview(seller, moved), { price: undefined, chosen: undefined }, 'two columns of one name')
  const firstOfTwo = { price: 'Net' }
  t.match(await preview(seller, doubled('29500', '7100'), firstOfTwo), { price: 29_500, chosen: firstOfTwo })
  t.match(await preview(seller, moved.replace('29500', '7100')), { price: undefined }, 'the first of two')
  t.match(await preview(seller, doubled('29500', '7100'), {}), { price: undefined, chosen: undefined })
  t.match(await preview(seller, doubled('29500', '7100')), { price: undefined, chosen: undefined }, 'forgotten')
})

t.test('replaces a column chosen by its letter when the dealer chooses one by its name, and the reverse', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const file = twoCars('VIN,Make,Model,Net,Due', '1FTFW1E59NKD69096,Ford,F-150,29500,28000,27000')
  const byLetter = { price: 'column F, without a heading' }
  for (const [chosen, price] of [
    [byLetter, 27_000],
    [{ price: 'Net' }, 29_500],
    [byLetter, 27_000],
    [{ price: 'Due' }, 28_000],
  ] as const) {
    t.match(await preview(seller, file, chosen), { price, chosen })
    t.match(await preview(seller, file), { price, chosen })
  }
})
