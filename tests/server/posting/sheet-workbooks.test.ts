import t from 'tap'
import { readFile } from '#tests/support/read-sheet.ts'
import { aWorkbook, zip } from '#tests/support/sheets.ts'

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const row = (cells: string, attributes = '') => `<row ${attributes}>${cells}</row>`
const words = (...values: string[]) => values.map(text).join('')
const heading = row(words('Make', 'Model', 'Miles', 'Price', 'Notes'))
const car = (model: string, attributes = '') => row(words('Honda', model, '45123', '12995'), attributes)

const stylesOf = (...codes: string[]) => {
  const escape = (code: string) => code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const formats = codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escape(code)}"/>`)
  const styles = codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`)
  return `<numFmts>${formats.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs>`
}

async function mileageShown(value: number, code: string) {
  const cells = words('Honda', 'Civic') + number(value, 1)
  const { vehicles, faults } = await readFile(aWorkbook({ sheets: [heading + row(cells)], styles: stylesOf(code) }))
  return vehicles[0]?.mileage ?? faults[0]?.message
}

t.test('reads a number as its format shows it', async (t) => {
  const shown: [number, string, number | string][] = [
    [45_123, 'General', 45_123],
    [45_123, '#,##0', 45_123],
    [45_123, '#,##0" mi"', 45_123],
    [45, '#,##0"k"', 45_000],
    [45, '0\\k', 45_000],
    [45.1, '0.0"K mi"', 45_100],
    [72_000, '#,##0" km"', 44_739],
    [72_000, 'General" km"', 44_739],
    [72_000, '# ##0\\ \\k\\m', 44_739],
    [45_123, '0,"K"', 45_123],
    [45_123, '#,##0.0,"K"', 45_123],
    [45_123.4, '0', 45_123],
    [45_123, '[Blue]#,##0_);[Red](#,##0)', 45_123],
    [45_123, '_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)', 45_123],
    [45_123, '@', 45_123],
    [45_123, '0.00E+00', 45_123],
  ]
  for (const [value, code, right] of shown) t.equal(await mileageShown(value, code), right, code)
  t.equal(await mileageShown(45_123, '"exempt"'), 'the mileage is not a number')
  t.equal(await mileageShown(45_123, ';;;'), undefined, 'an empty display')
})

t.test('takes the currency of a price from its format', async (t) => {
  const styles = stylesOf('"$"#,##0.00', '[$CAD] #,##0', '#,##0.00\\ [$€-407]', '_($* #,##0_)')
  const cars = [1, 2, 3, 4].map((style) => row(words('Honda', `Civic ${style}`, '1') + number(12_995, style)))
  const { vehicles, faults } = await readFile(aWorkbook({ sheets: [heading + cars.join('')], styles }))
  t.same(
    vehicles.map(({ price }) => price),
    [12_995, 12_995, 12_995, 12_995],
  )
  t.match(faults, [
    { row: 3, message: /Canadian dollars/ },
    { row: 4, message: /euros/ },
  ])
})

t.test('reads the first visible sheet with a heading, never a hidden one', async (t) => {
  const cover = row(words('Torres Auto')) + row(words('Weekly list'))
  const sheets = [heading + car('Hidden'), cover, heading + car('Shown'), heading + car('Later')]
  const { vehicles, summary } = await readFile(aWorkbook({ sheets, tabs: ['state="hidden"'] }))
  t.match(vehicles, [{ model: 'Shown' }])
  t.same(summary.otherSheets, ['Tab 2', 'Tab 4'], 'the other visible ones are named')
  const none = readFile(aWorkbook({ sheets: [heading, cover], tabs: ['state="veryHidden"'] }))
  await t.rejects(none, { message: /No heading row was found/ })
})

t.test('counts hidden or filtered rows without reading them', async (t) => {
  const rows = [
    car('A'),
    car('B', 'hidden="1"'),
    car('C', 'hidden="true"'),
    car('D', 'hidden="0"'),
    car('E', 'ht="0" customHeight="1"'),
    row('', 'hidden="1"'),
  ]
  const { vehicles, faults, summary } = await readFile(aWorkbook({ sheets: [heading + rows.join('')] }))
  t.match(vehicles, [{ model: 'A' }, { model: 'D' }])
  t.equal(vehicles.length, 2)
  t.equal(summary.hiddenRows, 3)
  t.same(faults, [])
})

t.test('repeats a merged cell in each of its rows', async (t) => {
  const rows = [
    row(words('Honda', 'Civic', '45123', '12995'), 'r="2"'),
    row(`<c r="B3" t="inlineStr"><is><t>Accord</t></is></c><c r="C3"><v>1000</v></c>`, 'r="3"'),
    row(`<c r="B4" t="inlineStr"><is><t>Pilot</t></is></c><c r="D4"><v>2000</v></c>`, 'r="4"'),
  ]
  const merges = '<mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="D2:D3"/><mergeCell ref="A9:C9"/></mergeCells>'
  const xml = `<worksheet><sheetData>${heading.replace('<row ', '<row r="1" ')}${rows.join('')}</sheetData>${merges}</worksheet>`
  const { vehicles } = await readFile(aWorkbook({ sheets: [''], parts: { 'xl/worksheets/sheet1.xml': xml } }))
  t.match(vehicles, [
    { make: 'Honda', model: 'Civic', price: 12_995 },
    { make: 'Honda', model: 'Accord', mileage: 1_000, price: 12_995 },
    { make: 'Honda', model: 'Pilot', price: 2_000 },
  ])
})

t.test('counts dates from 1904 if the workbook says so, and reports a year shown as a date', async (t) => {
  const styles = stylesOf('yyyy', 'm/d/yyyy')
  const sheet = (value: number, style: number) => ({
    sheets: [row(words('Make', 'Model', 'Year')) + row(words('Honda', 'Civic') + number(value, style))],
    styles,
  })
  const yearOf = async (workbook: Parameters<typeof aWorkbook>[0]) =>
    (await readFile(aWorkbook(workbook))).vehicles[0]?.year
  t.equal(await yearOf(sheet(43_466, 1)), 2019)
  t.equal(await yearOf({ ...sheet(42_004, 1), properties: 'date1904="1"' }), 2019)
  t.equal(await yearOf(sheet(2019, 2)), undefined)
})

t.test('reads three hundred columns', async (t) => {
  const extra = words(...Array.from({ length: 300 }, (_, index) => `Option ${index}`))
  const cells = words(...Array.from({ length: 300 }, () => 'x'))
  const sheet = row(extra + words('Make', 'Model', 'Price')) + row(cells + words('Honda', 'Civic', '12995'))
  const { vehicles, summary } = await readFile(aWorkbook({ sheets: [sheet] }))
  t.match(vehicles, [{ make: 'Honda', price: 12_995 }])
  t.equal(summary.unread.length, 300)
})

t.test('reports a formula error', async (t) => {
  const cells = `${words('Honda', 'Civic')}<c t="e"><v>#N/A</v></c>`
  const { vehicles, faults } = await readFile(aWorkbook({ sheets: [heading + row(cells)] }))
  t.equal(vehicles[0]?.mileage, undefined)
  t.match(faults, [{ row: 2, column: 'Miles', text: '#N/A' }])
})

t.test('skips hidden columns and names them', async (t) => {
  const sheet = (columns: string) => {
    const rows =
      row(words('Make', 'Model', 'Miles', 'Price', 'Wholesale', 'Cost')) +
      row(words('Honda', 'Civic', '45123', '12995', '11000', '9000'))
    return aWorkbook({
      sheets: [''],
      parts: {
        'xl/worksheets/sheet1.xml': `<worksheet><cols>${columns}</cols><sheetData>${rows}</sheetData></worksheet>`,
      },
    })
  }
  const shown = await readFile(sheet('<col min="1" max="6" width="9"/>'))
  t.match(shown.vehicles, [{ price: 11_000 }])
  t.equal(shown.summary.hiddenColumns, undefined)
  for (const columns of [
    '<col min="5" max="16384" hidden="1"/>',
    '<col min="5" max="5" hidden="true" width="9"/><col min="6" max="6" width="0"/>',
  ]) {
    const { vehicles, faults, summary } = await readFile(sheet(columns))
    t.match(vehicles, [{ make: 'Honda', price: 12_995 }])
    t.same(faults, [])
    t.same(summary.hiddenColumns, ['Wholesale', 'Cost'])
    t.same(summary.unread, [])
  }
  const all = readFile(sheet('<col min="1" max="2" hidden="1"/>'))
  await t.rejects(all, { message: /No heading row was found/ })
})

t.test('does not read a workbook number with three decimals as thousands', async (t) => {
  for (const [value, code] of [
    [45.123, 'General'],
    [45.123, '0.000'],
    [45.123, '0.000" mi"'],
  ] as const)
    t.equal(await mileageShown(value, code), 'the mileage is not a whole number', code)
  t.equal(await mileageShown(45.123, '0.000"k"'), 45_123)
  const { vehicles, faults } = await readFile(
    aWorkbook({ sheets: [heading + row(words('Honda', 'Civic', '1') + number(12.995))] }),
  )
  t.equal(vehicles[0]?.price, undefined)
  t.match(faults, [{ row: 2, column: 'Price', text: /12\.995/ }])
})

t.test('refuses a sheet with more merged cells than filled ones', async (t) => {
  const workbook = (count: number) => {
    const merges = Array.from(
      { length: count },
      (_, index) => `<mergeCell ref="Z${index * 2 + 100}:Z${index * 2 + 101}"/>`,
    )
    const xml = `<worksheet><sheetData>${heading}${car('A')}</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`
    return aWorkbook({ sheets: [''], parts: { 'xl/worksheets/sheet1.xml': xml } })
  }
  t.match((await readFile(workbook(5_000))).vehicles, [{ model: 'A' }])
  await t.rejects(readFile(workbook(5_001)), { message: /more than 5,000 cells that are merged/ })
})

t.test('names the cell of a formula that has no result', async (t) => {
  const formula = (text: string, result = '') => `<c><f>${text}</f>${result}</c>`
  const cells = (...more: string[]) => words('Honda', 'Civic') + more.join('')
  const read = async (...more: string[]) => readFile(aWorkbook({ sheets: [heading + row(cells(...more))] }))
  const { vehicles, faults } = await read(formula('SUM(A1:A2)'), formula('B2*1.1', '<v></v>'), formula('A1&amp;" ok"'))
  t.match(vehicles, [{ mileage: undefined, price: undefined, notes: undefined }])
  t.match(faults, [
    { row: 2, column: 'Miles', text: '=SUM(A1:A2)' },
    { row: 2, column: 'Price', text: '=B2*1.1' },
    { row: 2, column: 'Notes', text: '=A1&" ok"' },
  ])
  const shared = '<c><f t="shared" si="0"/><v>12995</v></c>'
  t.match((await read(formula('1', '<v>45123</v>'), shared)).vehicles, [{ mileage: 45_123, price: 12_995 }])
})

t.test('takes Canadian dollars and Mexican pesos from the language of a format', async (t) => {
  const codes = ['[$$-1009]#,##0', '[$$-en-CA]#,##0.00', '#,##0.00\\ [$$-C0C]', '[$$-80A]#,##0', '[$$-409]#,##0']
  const cars = codes.map((_, index) => row(words('Honda', `Civic ${index}`, '1') + number(12_995, index + 1)))
  const { faults } = await readFile(aWorkbook({ sheets: [heading + cars.join('')], styles: stylesOf(...codes) }))
  t.same(
    faults.map(({ row: at, message }) => [at, /Canadian|Mexican/.exec(message)?.[0]]),
    [
      [2, 'Canadian'],
      [3, 'Canadian'],
      [4, 'Canadian'],
      [5, 'Mexican'],
    ],
  )
})

t.test('does not read a percentage as an amount', async (t) => {
  for (const code of ['0%', '0.00%', '#,##0 %'])
    t.equal(await mileageShown(451.23, code), 'the mileage could not be read', code)
})

t.test('does not make a VIN of a number that lost its last digits', async (t) => {
  for (const value of [1.234_567_890_123_456_8e16, 1e17, 1.5e20]) {
    const sheets = [row(words('VIN', 'Make', 'Model')) + row(number(value) + words('Honda', 'Accord'))]
    t.match(await readFile(aWorkbook({ sheets })), { vehicles: [], faults: [{ row: 2, column: 'VIN' }] })
  }
})

t.test('decodes characters that XML cannot hold', async (t) => {
  const cells = words('Honda', 'Civic', '45123_x000D__x000A_', '_x0031_2995', 'a_x005F_b')
  const { vehicles } = await readFile(aWorkbook({ sheets: [heading + row(cells)] }))
  t.match(vehicles, [{ mileage: 45_123, price: 12_995, notes: 'a_b' }])
})

t.test('prefers a sheet of vehicles to a summary of makes and models', async (t) => {
  const summary = row(words('Make', 'Model', 'Count')) + row(words('Honda', 'Civic', '3'))
  const { vehicles, summary: report } = await readFile(aWorkbook({ sheets: [summary, heading + car('Shown')] }))
  t.match(vehicles, [{ model: 'Shown', price: 12_995 }])
  t.same(report.otherSheets, ['Tab 1'])
  const alone = await readFile(aWorkbook({ sheets: [row(words('Weekly list')), summary] }))
  t.match(alone.vehicles, [{ model: 'Civic' }], 'unless no other sheet has a heading')
  t.same(alone.summary.otherSheets, ['Tab 1'])
})

t.test('says what to save another document as', async (t) => {
  for (const file of ['content.xml', 'xl/workbook.bin', 'word/document.xml', 'Index/Document.iwa', 'list.csv'])
    await t.rejects(readFile(zip({ [file]: '<x/>' })), { message: /Save it as XLSX or CSV/ }, file)
})
