import t from 'tap'
import { readFile, readLines } from '#tests/support/read-sheet.ts'

const vins = ['1HGCM82633A004352', '1FTFW1E50NFA12340', '5YJ3E1EA7KF317000'] as const
const heading = 'VIN,Year,Make,Model,Trim,Mileage,Price,City,State'
const row = (vin: string, trim = 'EX', city = 'Austin') => `${vin},2019,Honda,Accord,${trim},45123,12995,${city},TX`
const sheet = [heading, ...vins.map((vin) => row(vin))]
const vinsIn = ({ vehicles }: Awaited<ReturnType<typeof readFile>>) => vehicles.map(({ vin }) => vin)

t.test('accepts every kind of line ending, also mixed', async (t) => {
  for (const ends of [['\n'], ['\r\n'], ['\r'], ['\r\n', '\n'], ['\n', '\r\n'], ['\r', '\n'], ['\n\f'], ['\u2028']]) {
    const text = sheet.map((line, index) => line + ends[index % ends.length]).join('')
    t.same(vinsIn(await readFile(Buffer.from(text))), vins, encodeURIComponent(ends.join('')))
  }
})

t.test('loses no other row to a misplaced quotation mark', async (t) => {
  const trims: [string, string][] = [
    ['"EX', 'EX'],
    ['EX"', 'EX'],
    ['19" wheels', '19" wheels'],
    ['"19" wheels"', '19" wheels'],
    ['"EX "Touring""', 'EX "Touring"'],
    ['"EX \\"Touring\\""', 'EX "Touring"'],
    [' "EX, V6"', 'EX, V6'],
    ['"EX, V6" ', 'EX, V6'],
    ['"EX ""Touring"""', 'EX "Touring"'],
    ['"EX\nV6"', 'EX V6'],
  ]
  for (const [written, trim] of trims)
    for (const place of [0, 1, 2]) {
      const lines = [heading, ...vins.map((vin, index) => row(vin, index === place ? written : '"LX"'))]
      const content = await readFile(Buffer.from(lines.join('\n')))
      t.same(vinsIn(content), vins, written)
      t.equal(
        content.vehicles[place]?.trim?.replaceAll('"', ''),
        trim.replaceAll('"', ''),
        `${written}, row ${place + 2}`,
      )
    }
})

t.test('loses nothing to a misplaced quotation mark in or above the heading', async (t) => {
  const rows = vins.map((vin) => row(vin, '"LX"'))
  const headings = ['"VIN,Year,Make,Model,Trim,Mileage,Price,City,State', heading.replace('Trim', ' "Trim"')]
  for (const one of headings) t.same(vinsIn(await readLines(one, ...rows)), vins, one)
  const titled = await readLines('"Torres "Auto" list', heading, ...rows)
  t.same(vinsIn(titled), vins)
  t.same(titled.faults, [])
})

t.test('leaves out and reports a row whose cells cannot be told apart', async (t) => {
  const unclosed = await readLines(heading, row(vins[0], '"EX, V6'), row(vins[1]), row(vins[2], '"LX"'))
  t.same(vinsIn(unclosed), vins.slice(1))
  t.match(unclosed.faults, [{ row: 2, message: 'a quotation mark is not closed', text: /^1HGCM/ }])
  const swallowing = await readLines(heading, row(vins[0], '"EX'), row(vins[1], 'EX'), row(vins[2], 'LX"'))
  t.same(vinsIn(swallowing), vins)
  t.equal(swallowing.faults.length > 0, true)
})

t.test('leaves out and reports a row with more cells than the heading', async (t) => {
  const shifted = row(vins[0], 'EX, V6')
  const { vehicles, faults } = await readLines(heading, shifted, row(vins[1]), row(vins[2]))
  t.match(vehicles, [{ vin: vins[1] }, { vin: vins[2] }])
  t.match(faults, [{ row: 2, message: /more cells than the heading/ }])
  const unnamed = await readLines(heading, ...vins.map((vin) => `${row(vin)},A12`))
  t.same(vinsIn(unnamed), vins, 'in every row it is a column without a heading')
  t.same(unnamed.summary.unread, ['column J, without a heading'])
})

t.test('joins unquoted thousands again and reports it', async (t) => {
  const amounts = (mileage: string, price: string) => (vin: string) =>
    `${vin},2019,Honda,Accord,EX,${mileage},${price},Austin,`
  const wanted = { mileage: 45_123, price: 12_995, city: 'Austin' }
  for (const [mileage, price] of [
    ['45,123', '12,995'],
    ['45123', '$12,995.00'],
    ['45,123', '12995'],
  ] as const) {
    const { vehicles, faults } = await readLines(heading, ...vins.map(amounts(mileage, price)))
    t.match(vehicles, [wanted, wanted, wanted], `${mileage} and ${price}`)
    t.match(faults[2], {
      row: 4,
      message: /has a comma and is not quoted: check this row. Read: price \$12,995, mileage \d/,
      listed: true,
    })
  }
  const both = await readLines(heading, `${vins[0]},2019,Honda,Accord,EX, V6,45,123,12995,Austin,TX`)
  t.match(both, { vehicles: [], faults: [{ row: 2, message: /more cells than the heading/ }] })
})

t.test('reports a line break in an unquoted cell', async (t) => {
  const { faults } = await readLines(heading, row(vins[0], 'EX\nV6'), row(vins[1]), row(vins[2]))
  t.match(faults, [{ row: 2, message: /ends early/ }, { row: 3 }])
})

t.test('accepts a plain list of VINs', async (t) => {
  t.same(vinsIn(await readLines('VIN', ...vins)), vins)
})

t.test('numbers rows like a spreadsheet program', async (t) => {
  const { faults } = await readLines(
    'Weekly list',
    '',
    heading,
    row(vins[0], '"EX\nV6"'),
    '',
    row('SHORT'),
    row(vins[1]),
  )
  t.match(faults, [{ row: 6, column: 'VIN', text: 'SHORT' }])
})

t.test('accepts any usual column separator', async (t) => {
  for (const sign of [',', ';', '\t', '|', '^', '~']) {
    const lines = sheet.map((line) => line.replaceAll(',', sign))
    t.same(vinsIn(await readLines(...lines)), vins, sign)
    t.same(vinsIn(await readLines(`sep=${sign}`, ...lines)), vins, `sep=${sign}`)
    t.same(vinsIn(await readLines('Torres Auto, Inc.; the list', '', ...lines)), vins, `${sign} below a title`)
  }
})

t.test('ignores a heading repeated on each page', async (t) => {
  const content = await readLines(heading, row(vins[0]), '', heading, row(vins[1]), heading, row(vins[2]))
  t.same(vinsIn(content), vins)
  t.same(content.faults, [])
})

const french = [heading, row(vins[0], 'Série « Élite »', 'Montréal'), row(vins[1], 'naïve', 'Québec')].join('\r\n')

function encode(text: string, encoding: 'utf16le' | 'utf16be' | 'latin1' | 'mac', mark = false): Buffer {
  if (encoding === 'latin1') return Buffer.from(text, 'latin1')
  if (encoding === 'mac') {
    const codes: Record<string, number> = { é: 0x8e, É: 0x83, ï: 0x95, '«': 0xc7, '»': 0xc8 }
    return Buffer.from([...text].map((letter) => codes[letter] ?? letter.charCodeAt(0)))
  }
  const wide = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
  return encoding === 'utf16le' ? wide : wide.swap16()
}

t.test('reads a file in its own encoding', async (t) => {
  const files: Record<string, Buffer> = {
    'UTF-8': Buffer.from(french),
    'UTF-8 with a mark': Buffer.from(`\ufeff${french}`),
    'UTF-16 LE with a mark': encode(french, 'utf16le', true),
    'UTF-16 BE with a mark': encode(french, 'utf16be', true),
    'UTF-16 LE': encode(french, 'utf16le'),
    'UTF-16 BE': encode(french, 'utf16be'),
    'Windows-1252': encode(french, 'latin1'),
    'Mac Roman': encode(french, 'mac'),
  }
  for (const [name, file] of Object.entries(files)) {
    const { vehicles, faults } = await readFile(file)
    t.match(
      vehicles,
      [
        { trim: 'Série « Élite »', city: 'Montréal' },
        { trim: 'naïve', city: 'Québec' },
      ],
      name,
    )
    t.same(faults, [], name)
  }
})

t.test('does not mistake Windows quotation marks for Mac letters', async (t) => {
  const lines = [heading, row(vins[0], 'Dealer\u0092s \u0093choice\u0094 \u0096 new')].join('\n')
  t.match((await readFile(Buffer.from(lines, 'latin1'))).vehicles, [{ trim: 'Dealer’s “choice” – new' }])
})

t.test('keeps the accents of other lines if one byte has another encoding', async (t) => {
  const stray = Buffer.concat([
    Buffer.from(`${french}\r\n`),
    Buffer.from(row(vins[2], '\u0093EX\u0094', 'Laval'), 'latin1'),
  ])
  t.match((await readFile(stray)).vehicles, [{ city: 'Montréal' }, { city: 'Québec' }, { trim: '“EX”' }])
})

t.test('explains why it refuses a file that is no table', async (t) => {
  const refusals: [Buffer, RegExp][] = [
    [Buffer.from('<!doctype html><p>Sign in'), /web page/],
    [Buffer.from('<table><tr><td>VIN'), /web page/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel workbook/],
    [Buffer.from('VIN,Year\n1HG\0CM\n'), /not a CSV or XLSX file/],
    [Buffer.from('Stock,Color\n1,2\n'), /No heading row was found/],
    [Buffer.from(''), /No heading row was found/],
  ]
  for (const [file, message] of refusals) await t.rejects(readFile(file), { message })
})

t.test('never reads the first digits of a number that is split at its comma', async (t) => {
  const whole = { mileage: 45_123, price: 12_995 }
  const files: [heading: string, cells: string][] = [
    ['VIN,Make,Model,Milage,Selling,City,State', '45,123,12,995,Austin,TX'],
    ['VIN,Make,Model,Miles,Asking,City,State', '45,123 mi,12,995 USD,Austin,TX'],
    ['VIN,Make,Model,Odo,Prix,City,State', '45,123 miles,$12,995.00,Austin,TX'],
    ['VIN,Make,Model,Odo,Buy It Now,City,State', '45,123,$12,995 OBO,Austin,TX'],
  ]
  for (const [names, cells] of files) {
    const { vehicles, faults } = await readLines(names, ...vins.map((vin) => `${vin},Honda,Accord,${cells}`))
    t.match(vehicles, [whole, whole, whole], names)
    t.equal(faults.length, 3, names)
  }
  const shifted: [heading: string, cells: string][] = [
    ['VIN,Make,Model,Milage,Selling,City,State', '45,123,12995,Austin,TX'],
    ['VIN,Make,Model,Milage,Selling,City,State', '45,123,12,995'],
    ['VIN,Make,Model,Selling,Milage,City,State', '112,995,45123,Austin'],
    ['VIN,Make,Model,Milage,City,State,Selling', '45,123,Austin,TX'],
    ['VIN,Make,Model,Book Value,Milage,Selling,City,State', '10,500,45123,12995,Austin'],
    ['VIN,Make,Model,Payoff,Selling', '10,500,12995'],
  ]
  for (const [names, cells] of shifted) {
    const rows = vins.map((vin, index) => `${vin},Honda,Accord,${index === 0 ? '45123,12995' : cells}`)
    const width = names.split(',').length
    const filled = rows.map((one) => one + ','.repeat(Math.max(0, width - one.split(',').length)))
    for (const lines of [rows, filled, rows.slice(1)]) {
      const { vehicles, faults } = await readLines(names, ...lines)
      for (const { vin, mileage, price } of vehicles) {
        if (vin === vins[0]) continue
        t.notOk(mileage !== undefined && mileage < 1_000, `${names}: ${cells}: ${mileage} miles`)
        t.notOk(price !== undefined && price < 1_000, `${names}: ${cells}: $${price}`)
      }
      t.ok(faults.length >= 2, `${names}: ${cells} is named`)
    }
  }
})

t.test('does not join a low mileage with a following three-digit number', async (t) => {
  const names = 'VIN,Make,Model,Price,Miles,Days'
  const rows = ['12995,45123,101', '13995,52000,102', '31000,12,103']
  const { vehicles, faults } = await readLines(names, ...vins.map((vin, index) => `${vin},Honda,Accord,${rows[index]}`))
  t.match(vehicles, [{ mileage: 45_123 }, { mileage: 52_000 }, { mileage: 12, price: 31_000 }])
  t.same(faults, [])
  const quotes = await readLines('VIN,Make,Model,Price,Miles,Days', `${vins[0]},Honda,Accord,31000,"12","103"`)
  t.match(quotes, { vehicles: [{ mileage: 12 }], faults: [] })
})

t.test("reads rows below a second heading in that heading's column order", async (t) => {
  const content = await readLines(
    'VIN,Make,Model,Miles,Price,City',
    `${vins[0]},Honda,Accord,45123,12995,Austin`,
    '',
    'Trucks',
    'VIN,Make,Model,Price,Miles,Cost,City,State',
    `${vins[1]},Ford,F-150,31900,22000,20000,Reno,NV`,
    'VIN,Make,Model,Miles,Price,City',
    `${vins[2]},Tesla,Model 3,30000,24500,Enid`,
  )
  t.match(content.vehicles, [
    { vin: vins[0], mileage: 45_123, price: 12_995, city: 'Austin' },
    { vin: vins[1], mileage: 22_000, price: 31_900, city: 'Reno', state: 'NV' },
    { vin: vins[2], mileage: 30_000, price: 24_500, city: 'Enid' },
  ])
  t.match(content.faults, [{ row: 4 }])
  t.same(content.summary.unread, ['Cost'])
})

t.test('lists rows below an unreadable second heading', async (t) => {
  const first = ['VIN,Make,Model,Miles,Price', `${vins[0]},Honda,Accord,45123,12995`]
  const counts = await readLines(...first, 'Make,Model,Price,Miles', 'Ford,F-150,31900,22000')
  t.match(counts.vehicles, [{ vin: vins[0] }])
  t.equal(counts.vehicles.length, 1)
  t.match(counts.faults, [{ row: 4, message: /a second heading/ }])
  const partial = await readLines(
    ...first,
    'Price,Miles,Make,Year',
    `31900,22000,Ford,2019`,
    first[0] ?? '',
    `${vins[2]},Tesla,3,1000,22000`,
  )
  t.match(partial.vehicles, [{ vin: vins[0] }, { vin: vins[2], price: 22_000 }])
  t.equal(partial.vehicles.length, 2)
  t.match(partial.faults, [{ row: 4, message: /a second heading/ }])
})

t.test('does not drop rows between two early headings', async (t) => {
  const { vehicles } = await readLines(
    'VIN,Make,Model,Price',
    `${vins[0]},Honda,Accord,12995`,
    'VIN,Make,Model,Price,Miles,City',
    `${vins[1]},Ford,F-150,31900,22000,Reno`,
  )
  t.match(vehicles, [
    { vin: vins[0], price: 12_995 },
    { vin: vins[1], mileage: 22_000 },
  ])
})

t.test('reads a file of broken quotation marks in linear time', async (t) => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index))
  const kinds: ((index: number) => string)[] = [
    (index) => `"${index} x,Honda,Accord`,
    (index) => `${index},"Hon"da,""Accord`,
    (index) => `"""${index},Honda,Accord"`,
    (index) => `${index},Honda,"Accord""`,
  ]
  for (const kind of kinds) {
    const { faults, summary } = await readLines(
      'VIN,Make,Model',
      ...lines(20_000, (index) => kind(index) + ' '.repeat(500)),
    )
    t.ok(faults.length + summary.moreFaults > 5_000, kind(1))
  }
})
