import t from 'tap'
import { readFile, readLines } from '#tests/support/read-sheet.ts'

const vins = ['1HGCM82633A004352', '1FTFW1E50NFA12340', '5YJ3E1EA7KF317000'] as const
const heading = 'VIN,Year,Make,Model,Trim,Mileage,Price,City,State'
const row = (vin: string, trim = 'EX', city = 'Austin') => `${vin},2019,Honda,Accord,${trim},45123,12995,${city},TX`
const whole = { year: 2019, make: 'Honda', trim: 'EX', mileage: 45_123, price: 12_995, city: 'Austin', state: 'TX' }
const rows = vins.map((vin) => row(vin))

t.test('reads rows that are in quotation marks as a whole', async (t) => {
  const quoted = (line: string) => `"${line.replaceAll('"', '""')}"`
  for (const [what, lines] of [
    ['every line', [heading, ...rows].map(quoted)],
    ['all lines but the heading', [heading, ...rows.map(quoted)]],
    ['one line', [heading, row(vins[0]), quoted(row(vins[1])), row(vins[2])]],
    ['lines with quotation marks', [heading, ...vins.map((vin) => quoted(row(vin, '"EX"')))]],
  ] as const) {
    const { vehicles, faults } = await readLines(...lines)
    t.match(vehicles, [whole, whole, whole], what)
    t.same(faults, [], what)
  }
})

t.test('reads rows that have another separator than the heading, and lists them', async (t) => {
  for (const [own, other] of [
    [',', ';'],
    [';', ','],
    ['\t', '|'],
  ] as const) {
    const lines = rows.map((line) => line.replaceAll(',', other))
    const { vehicles, faults } = await readLines(heading.replaceAll(',', own), ...lines)
    t.match(vehicles, [whole, whole, whole], `${own} and ${other}`)
    t.match(faults, [{ row: 2, message: /different separator/, listed: true }, { row: 3 }, { row: 4 }])
  }
  const short = await readLines(heading, `${vins[0]};2019;Honda`, row(vins[1]))
  t.match(short, { vehicles: [{ vin: vins[1] }], faults: [{ row: 2, message: /could not be separated/ }] })
})

t.test('reads quotation marks behind a space', async (t) => {
  const spaced = (line: string) => line.split(',').map((cell) => `"${cell}"`)
  for (const separator of [', ', ',  ', ' ,\t']) {
    const lines = [heading, ...rows].map((line) => spaced(line).join(separator))
    const { vehicles, faults } = await readLines(...lines)
    t.match(vehicles, [whole, whole, whole], separator)
    t.same(faults, [])
  }
  t.match((await readLines(heading.replaceAll(',', ', '), row(vins[0], ' "EX, V6"'))).vehicles, [{ trim: 'EX, V6' }])
})

t.test('accepts any separator that the first line names', async (t) => {
  const lines = (sign: string) => [heading, ...rows].map((line) => line.replaceAll(',', sign))
  for (const first of ['sep=:', '"sep=;"', 'sep=; ', 'SEP=|', 'sep=!', '\ufeff\ufeffsep=;']) {
    const sign = /=(.)/.exec(first)?.[1] ?? ''
    t.match((await readLines(first, ...lines(sign))).vehicles, [whole, whole, whole], first)
  }
})

t.test('does not list a row of totals as a vehicle', async (t) => {
  for (const [names, car, sums] of [
    ['Make,Model,Year,Price', 'Honda,Accord,2019,12995', ['Total,1,,12995', 'Average,,,12995', 'Count:,3,,']],
    [
      'Year,Make,Model,Price',
      '2019,Honda,Accord,12995',
      ['Totals,1,unit,12995', 'Grand Total,3,,12995', 'Sub-total,,,1'],
    ],
    ['Stock,Make,Model,Price', 'A1,Honda,Accord,12995', ['Total,,,12995', 'Total vehicles: 3', 'Moyenne,,,1']],
    ['VIN,Make,Model,Price', `${vins[0]},Honda,Accord,12995`, ['Total,,,12995', 'Grand total: 1', 'Summe,,,1']],
  ] as const) {
    const { vehicles, faults } = await readLines(names, car, ...sums)
    t.equal(vehicles.length, 1, names)
    t.match(
      faults,
      sums.map((_, index) => ({ row: index + 3, message: /totals/ })),
    )
  }
  const named = await readLines('Condition,Make,Model,Price', 'Average,Honda,Accord,12995', 'Average,Kia,Rio,9995')
  t.equal(named.vehicles.length, 2, 'a vehicle in average condition')
})

t.test('leaves out a row whose decimals were split from a price', async (t) => {
  for (const [names, cells] of [
    ['VIN,Make,Model,Price,City', 'Honda,Accord,12995,50,Austin'],
    ['VIN,Make,Model,Price,Mileage,City', 'Honda,Accord,12995,00,45123,Austin'],
    ['VIN,Make,Model,Price,State,City', 'Honda,Accord,$12995,00,TX,Austin'],
  ] as const) {
    const { vehicles, faults } = await readLines(names, ...vins.map((vin) => `${vin},${cells}`))
    t.same(vehicles, [], names)
    t.match(faults, [{ row: 2, message: /split at its comma/ }, { row: 3 }, { row: 4 }])
  }
  const days = await readLines('VIN,Make,Model,Price,Days,City', ...vins.map((vin) => `${vin},Kia,Rio,12995,50,Enid`))
  t.match(days.vehicles, [{ price: 12_995, city: 'Enid' }, {}, {}])
  const zip = await readLines('VIN,Make,Model,Price,City', `${vins[0]},Kia,Rio,12995,78701`)
  t.match(zip, { vehicles: [{ price: 12_995, city: '' }], faults: [{ column: 'City', text: '78701' }] })
})

t.test('explains why it refuses other documents', async (t) => {
  for (const [file, message] of [
    ['\ufeff\n<!-- saved --><html>', /web page/],
    ['<div>VIN</div>', /web page/],
    ['<style>td {}</style><table>', /web page/],
    ['%PDF-1.7', /document/],
    ['{\\rtf1 VIN', /document/],
  ] as const)
    await t.rejects(readFile(Buffer.from(file)), { message }, file)
})

const inBytes = (city: string, trim = 'EX') => [heading, row(vins[0], trim, city), row(vins[1])].join('\r\n')

t.test('tells Mac Roman and DOS from Windows by the signs that each uses', async (t) => {
  const files: [what: string, bytes: string, trim: string, city: string][] = [
    ['a Mac apostrophe', inBytes('Austin', 'Dealer\xd5s pick'), 'Dealer’s pick', 'Austin'],
    ['Mac quotation marks', inBytes('Austin', '\xd2Sport\xd3 \xd0 new'), '“Sport” – new', 'Austin'],
    ['Mac capitals', inBytes('MONTR\x83AL', 'EX'), 'EX', 'MONTRÉAL'],
    ['a Mac trademark', inBytes('Montr\x8eal', 'King Ranch\xaa'), 'King Ranch™', 'Montréal'],
    ['DOS', inBytes('Qu\x82bec'), 'EX', 'Québec'],
    ['DOS accents', inBytes('Montr\x82al', 'Compl\x8ate'), 'Complète', 'Montréal'],
    ['DOS with capitals', inBytes('QU\x90BEC', 'Fini\x82'), 'Finié', 'QUÉBEC'],
    ['a Windows apostrophe', inBytes('Austin', 'Dealer\x92s pick'), 'Dealer’s pick', 'Austin'],
    ['Windows capitals', inBytes('QU\xc9BEC', 'CA\xd1ON'), 'CAÑON', 'QUÉBEC'],
    ['Windows dots', inBytes('Qu\xe9bec', 'Clean\x85'), 'Clean…', 'Québec'],
  ]
  for (const [what, bytes, trim, city] of files)
    t.match((await readFile(Buffer.from(bytes, 'latin1'))).vehicles, [{ trim, city }], what)
})

t.test('restores UTF-8 that another program read as Windows-1252', async (t) => {
  for (const [written, right] of [
    ['MontrÃ©al', 'Montréal'],
    ['Dealerâ€™s', 'Dealer’s'],
    ['DealerÃ¢â‚¬â„¢s', 'Dealer’s'],
    ['QuÃ©bec â€“ LÃ©vis', 'Québec – Lévis'],
    ['ðŸ˜€ EX', '😀 EX'],
    ['Città Ântica', 'Città Ântica'],
    ['São “Ótimo”', 'São “Ótimo”'],
    ['Café’’', 'Café’’'],
  ] as const)
    t.match((await readFile(Buffer.from(inBytes(written)))).vehicles, [{ city: right }], written)
})

t.test('does not take a name that a spreadsheet program turned into a date', async (t) => {
  for (const model of ['3-Sep', 'May-09', '2010-09-03']) {
    const { vehicles, faults } = await readLines('VIN,Make,Model,Price', `${vins[2]},Saab,${model},12995`)
    t.match(vehicles, [{ make: 'Saab', model: undefined, price: 12_995 }], model)
    t.match(faults, [{ row: 2, column: 'Model', text: model, message: 'the model is shown as a date' }])
  }
  t.match((await readLines('VIN,Make,Model', `${vins[2]},Saab,9-3`)).vehicles, [{ model: '9-3' }])
})

t.test('reads the whole VIN of several columns', async (t) => {
  for (const [names, cells] of [
    ['VIN,Full VIN', `3A004352,${vins[0]}`],
    ['VIN,Full VIN', `,${vins[0]}`],
    ['VIN Number,VIN', `${vins[0]},004352`],
  ] as const)
    t.match((await readLines(`Make,Model,${names}`, `Honda,Accord,${cells}`)).vehicles, [{ vin: vins[0] }], names)
  t.match(await readLines('Make,Model,VIN,Full VIN', 'Honda,Accord,3A004352,004352'), {
    vehicles: [],
    faults: [{ row: 2, column: 'VIN', text: '3A004352' }],
  })
})

t.test('reports a price whose currency is in another column', async (t) => {
  for (const name of ['Currency', 'Price Currency', 'currency_code', 'Devise']) {
    const { vehicles, faults } = await readLines(
      `Make,Model,Price,${name}`,
      'Honda,Accord,12995,CAD',
      'Ford,F-150,31000,USD',
      'Kia,Rio,$9995,EUR',
    )
    t.match(vehicles, [{ price: 12_995 }, { price: 31_000 }, { price: 9_995 }])
    t.match(faults, [
      { row: 2, column: 'Price', message: /Canadian dollars/, listed: true },
      { row: 4, message: /euros/ },
    ])
  }
})

t.test('treats words and dashes of exports for no value as none', async (t) => {
  for (const nothing of ['(null)', 'NULL', '$ -', ' $ -   ', '€ –', '-', '\\N'])
    t.match(await readLines('Make,Model,Price', `Honda,Accord,${nothing}`), {
      vehicles: [{ price: undefined }],
      faults: [],
    })
  for (const trim of ['undefined', 'NaN', 'nan', '(null)'])
    t.equal((await readLines('Make,Model,Trim', `Honda,Accord,${trim}`)).vehicles[0]?.trim, undefined, trim)
})

t.test('keeps a text that only begins like a formula', async (t) => {
  for (const notes of ['=== CLEAN ===', '=new tires', '= sold as is'])
    t.match((await readLines('Make,Model,Notes', `Honda,Accord,${notes}`)).vehicles, [{ notes }], notes)
  for (const notes of ['=A1', '=SUM(A1:A2)', '=1+1', '=Sheet2!A1'])
    t.match(await readLines('Make,Model,Notes', `Honda,Accord,${notes}`), {
      vehicles: [{ notes: undefined }],
      faults: [{ row: 2, column: 'Notes', text: notes }],
    })
})
