import t from 'tap'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { oneVehicle, readLines } from '#tests/support/read-sheet.ts'

/** The expected value, or undefined if the server must omit and report the cell. */
type Right = string | number | undefined
type Row = readonly [cell: string, right: Right]

function reads(field: keyof NewVehicle, heading: 'Price' | 'Mileage' | 'Year' | 'VIN' | 'State', rows: readonly Row[]) {
  t.test(`${field}: ${rows.length} spellings`, async (t) => {
    for (const [cell, right] of rows) {
      const { vehicles, faults } = await oneVehicle({ [heading]: cell })
      t.equal(vehicles[0]?.[field], right, cell)
      if (right !== undefined) continue
      const [fault] = faults
      t.match(fault, { row: 2, column: heading, text: String, message: String }, `${cell} is reported`)
    }
  })
}

reads('price', 'Price', [
  ['12995', 12_995],
  ['$12,995', 12_995],
  ['12,995.00', 12_995],
  ['12995,50', 12_995.5],
  ['1.299.500', 1_299_500],
  ['12.995', 12_995],
  ['12,995', 12_995],
  ["12'995", 12_995],
  ['12’995.50', 12_995.5],
  ['12\u00a0995,00\u00a0$', 12_995],
  ['12\u2009995', 12_995],
  ['US$ 12,995.00', 12_995],
  ['USD 12995', 12_995],
  ['12,995 OBO', 12_995],
  ['$12,995 firm', 12_995],
  ['12.995,-', 12_995],
  ['asking $12,995', 12_995],
  ['12.9k', 12_900],
  ['$12,9k', 12_900],
  ['13K', 13_000],
  ['1.2995E4', 12_995],
  ['="12995"', 12_995],
  ['１２．９９５', 12_995],
  ['$ 12,995.', 12_995],
  ['Sale: $12,995/OBO', 12_995],
  ['١٢٬٩٩٥٫٠٠', 12_995],
  ['۱۲۹۹۵', 12_995],
  ['१२,९९५', 12_995],
  ['$12,995*', 12_995],
  ['*** 12995 ***', 12_995],
  ['$12,995!!', 12_995],
  ['💰12,995', 12_995],
  ['$12,995 ✅', 12_995],
  ['12995 🔥🔥', 12_995],
  ['$12,995 + TTL', 12_995],
  ['12,995 plus tax & lic', 12_995],
  ['$12,995 (incl. tax)', 12_995],
  ['12 995,00 $ + tx', 12_995],
  ['12,995 [firm]', 12_995],
  ['12995 as-is', 12_995],
  ['$12,995 Cash Price', 12_995],
  ['12 995 $ négo', 12_995],
  ['12,995 (wholesale)', 12_995],
  ['Wholesale: $12,995', 12_995],
  ['NOW $12,995', 12_995],
  ['Reduced to $12,995', 12_995],
  ['U.S. $12,995', 12_995],
  ['12995 US', 12_995],
  ['12,995 U.S. dollars', 12_995],
  ['+12995', 12_995],
  ['+ 12,995', 12_995],
  ['=12995', 12_995],
  ['13 grand', 13_000],
  ['12.9 thousand', 12_900],
  ['1,2995E+04', 12_995],
  ['“12,995”', 12_995],
  ['12995k', undefined],
  ['$12,995+', undefined],
  ['from $12,995', undefined],
  ['MSRP 30,000', undefined],
  ['$299/mo', undefined],
  ['x'.repeat(300), undefined],
  ['1.3E+04', undefined],
  ['12,34', undefined],
  ['12.9', undefined],
  ['13', undefined],
  ['99.99', undefined],
  ['$12', undefined],
  ['12,99,500', undefined],
  ['12995.123', undefined],
  ['12995/13995', undefined],
  ['12,995 - 13,995', undefined],
  ['12995 13995', undefined],
  ['-12995', undefined],
  ['12995-', undefined],
  ['0.00', undefined],
  ['$0', undefined],
  ['call', undefined],
  ['N/A', undefined],
  ['#N/A', undefined],
  ['12995¹', undefined],
  ['999999999', undefined],
  ['1,200k', undefined],
])

reads('mileage', 'Mileage', [
  ['45,123', 45_123],
  ['45.123', 45_123],
  ['45 123 mi', 45_123],
  ['45123 miles', 45_123],
  ['45,123.4', 45_123],
  ['45123.0000001', 45_123],
  ['45k', 45_000],
  ['45 K mi', 45_000],
  ['45.1k', 45_100],
  ['100,000 km', 62_137],
  ['72000KM', 44_739],
  ['72.000 Kilomètres', 44_739],
  ['72k km', 44_739],
  ['45,123 actual', 45_123],
  ['Miles: 45,123', 45_123],
  ['٤٥١٢٣', 45_123],
  ['45٬123 mi', 45_123],
  ['45,123 mi (verified)', 45_123],
  ['45 thousand', 45_000],
  ['72 tkm', 44_739],
  ['45.123 Meilen', 45_123],
  ['45123*', undefined],
  ['45,123 Not Actual', undefined],
  ['0', undefined],
  ['0 km', undefined],
  ['45.5', undefined],
  ['45,123 / 72,600 km', undefined],
  ['45,123 TMU', undefined],
  ['exempt', undefined],
  ['~45,000', undefined],
  ['123456789', undefined],
])

reads('year', 'Year', [
  ['2019', 2019],
  ['19', 2019],
  ["'98", 1998],
  ['MY2019', 2019],
  ['2019.0', 2019],
  ['2,019', 2019],
  ['2019-01-01', 2019],
  ['2019-01-01 00:00:00', 2019],
  ['01.02.2019', 2019],
  ['1/1/19', 2019],
  ['Jan 2019', 2019],
  ['２０１９', 2019],
  ['2019-06', 2019],
  ['2 019', 2019],
  ['2\u202f019', 2019],
  ['2.019', 2019],
  ['2019.', 2019],
  ['2019,00', 2019],
  ['(2019)', 2019],
  ['[2019]', 2019],
  ['٢٠١٩', 2019],
  ['2019/2020', undefined],
  ['2019/20', undefined],
  ['2019 or 2020', undefined],
  ['20I9', undefined],
  ['1850', undefined],
  ['1905-07-11', undefined],
  ['new', undefined],
])

reads('vin', 'VIN', [
  ['VIN: 1HGCM82633A004352', '1HGCM82633A004352'],
  ['vin# 1hgcm82633a004352', '1HGCM82633A004352'],
  ['*1HGCM82633A004352*', '1HGCM82633A004352'],
  ['1HGCM-82633-A004352', '1HGCM82633A004352'],
  ['1HG CM826 33A 004352', '1HGCM82633A004352'],
  ['1HGCM82633A004352 (A12)', '1HGCM82633A004352'],
  ['1HGCM82633A004352 (certified)', '1HGCM82633A004352'],
  ['V.I.N. # 1HGCM82633A004352', '1HGCM82633A004352'],
  ['VIN1HGCM82633A004352', '1HGCM82633A004352'],
  ['I1HGCM82633A004352', '1HGCM82633A004352'],
  ['1HGCM82633A004352\n1HGCM82633A004352', '1HGCM82633A004352'],
  ['lHGCM82633A004352', '1HGCM82633A004352'],
  ['l HGCM 82633A004352', '1HGCM82633A004352'],
  ['WBA3B5G5XDNSOl478', undefined],
  ['1.23457E+16', undefined],
  ['1HGCM82633A0043521', undefined],
  ['1HGCM82633A00435', undefined],
  ['1HGCM82633A004352/1FTFW1E50NFA1234', undefined],
  ['1HGCM82633A0043521FTFW1E50NFA12340', undefined],
  ['1HGCM82633AOO4352', undefined],
])

reads('state', 'State', [
  ['TX', 'TX'],
  ['tx', 'TX'],
  ['Texas, USA', 'TX'],
  ['TX 78701', 'TX'],
  ['Austin, TX', 'TX'],
  ['N.Y.', 'NY'],
  ['NY - New York', 'NY'],
  ['W. Va.', 'WV'],
  ['District of Columbia', 'DC'],
  ['CA-ON', 'ON'],
  ['Ont.', 'ON'],
  ['P.E.I.', 'PE'],
  ['Île-du-Prince-Édouard', 'PE'],
  ['Nouveau-Brunswick', 'NB'],
  ['Newfoundland & Labrador', 'NL'],
  ['QC H2X 1Y4', 'QC'],
  ['State of Texas', 'TX'],
  ['N. Carolina', 'NC'],
  ['US TX', 'TX'],
  ['AB T2P', 'AB'],
  ['ＴＸ', 'TX'],
  ['Austin TX', 'TX'],
  ['Salt Lake City UT', 'UT'],
  ['TX USA', 'TX'],
  ['Texas U.S.A.', 'TX'],
  ['ON Canada', 'ON'],
  ['Washington, PA', 'PA'],
  ['Delaware, OH', 'OH'],
  ['Winston-Salem, NC', 'NC'],
  ['N. Dak', 'ND'],
])

t.test('reports an unknown state and leaves the vehicle without one', async (t) => {
  for (const State of ['Bavaria', 'TX or OK', 'Mex.', 'Ontario, CA', 'TX, OK', 'OK TX']) {
    const { vehicles, faults } = await oneVehicle({ State })
    t.equal(vehicles[0]?.state, '')
    t.match(faults, [{ row: 2, column: 'State', text: State, listed: true }])
  }
})

t.test('leaves out a row with an invalid VIN, but not one that says it has none', async (t) => {
  t.match(await oneVehicle({ VIN: 'SHORT' }), { vehicles: [], faults: [{ row: 2, text: 'SHORT' }] })
  for (const VIN of ['TBD', 'NO VIN', 'no-vin', '0', '00000000000000000', 'XXXXXXXXXXXXXXXXX', '11111111111111111']) {
    const { vehicles, faults } = await oneVehicle({ VIN })
    t.match(vehicles, [{ make: 'Honda', model: 'Accord' }])
    t.equal(vehicles[0]?.vin, undefined, VIN)
    t.match(faults, [{ row: 2, column: 'VIN', text: VIN, listed: true }])
  }
})

t.test('takes a missing year from the VIN, but not an unreadable one', async (t) => {
  t.equal((await oneVehicle({ Year: 'soon' })).vehicles[0]?.year, undefined)
  t.equal((await oneVehicle({ Year: '' })).vehicles[0]?.year, 2003)
})

t.test('treats a dash as no value, without a fault', async (t) => {
  const { vehicles, faults } = await oneVehicle({ Price: '-', Mileage: '—' })
  t.same([vehicles[0]?.price, vehicles[0]?.mileage], [undefined, undefined])
  t.same(faults, [])
})

t.test('keeps the amount of a price in another currency and reports it', async (t) => {
  for (const [Price, message] of [
    ['12 995 $ CAD', /Canadian dollars/],
    ['12.995,00 €', /euros/],
    ['12 995 $ CA', /Canadian dollars/],
    ['C$12,995', /Canadian dollars/],
    ["CHF 12'995.00", /Swiss francs/],
    ['MX$12,995', /Mexican pesos/],
    ['AU$12,995', /Australian dollars/],
  ] as const) {
    const { vehicles, faults } = await oneVehicle({ Price })
    t.equal(vehicles[0]?.price, 12_995)
    t.match(faults, [{ message, listed: true }])
  }
  t.match(await oneVehicle({}, { Price: 'Price (CAD)' }), {
    faults: [{ row: 1, message: /Canadian dollars/ }],
  })
})

t.test('converts kilometers if the heading says so, or in a country without miles', async (t) => {
  const headings = ['KM', 'Kilometers', 'Odometer (km)', 'Mileage km', 'Kilométrage (km)']
  for (const Mileage of headings) {
    t.equal((await oneVehicle({ Mileage: '72000' }, { Mileage })).vehicles[0]?.mileage, 44_739, Mileage)
    t.equal((await oneVehicle({ Mileage: '45123 mi' }, { Mileage })).vehicles[0]?.mileage, 45_123, 'the cell wins')
  }
  const inProvince = await oneVehicle({ Mileage: '72000', State: 'QC' }, { Mileage: 'Kilométrage' })
  t.equal(inProvince.vehicles[0]?.mileage, 44_739)
})

t.test('multiplies numbers by a thousand below a heading of thousands', async (t) => {
  const headings = { Mileage: 'Miles (000s)', Price: 'Price (K)' }
  t.match((await oneVehicle({ Mileage: '45', Price: '12.9' }, headings)).vehicles, [{ mileage: 45_000, price: 12_900 }])
  t.match(await oneVehicle({ Mileage: '45123' }, headings), { faults: [{ column: 'Miles (000s)' }] })
})

t.test('shortens and cleans texts with a report, and stores no lost characters', async (t) => {
  const long = await oneVehicle({ Trim: 'x'.repeat(90) })
  t.match(long, { vehicles: [{ trim: 'x'.repeat(80) }], faults: [{ column: 'Trim', message: /cut to 80/ }] })
  t.match(await oneVehicle({ City: 'Montr\ufffdal' }), { vehicles: [{ city: '' }], faults: [{ column: 'City' }] })
  t.match((await oneVehicle({ Model: 'Caf&eacute;&#39;s\u00a0  “XL” &frac12;' })).vehicles, [
    { model: "Café's “XL” ½" },
  ])
})

t.test('removes the markup of web pages and databases from texts', async (t) => {
  const { vehicles, faults } = await readLines(
    'Make,Model,Year,Trim,Notes',
    "'Honda','Civic','2019',<b>EX</b>\u0001,Clean<br/>One owner &lt;3",
  )
  t.match(vehicles, [{ make: 'Honda', model: 'Civic', year: 2019, trim: 'EX', notes: 'Clean\nOne owner <3' }])
  t.same(faults, [])
})

t.test('treats database words for no value as none', async (t) => {
  const { vehicles, faults } = await readLines(
    'Make,Model,Year,Trim,Price',
    'Honda,Civic,NULL,\\N,null',
    'Kia,Rio,2019,N/A,-',
  )
  t.same(
    vehicles.map(({ year, trim, price }) => [year, trim, price]),
    [
      [undefined, undefined, undefined],
      [2019, undefined, undefined],
    ],
  )
  t.same(faults, [])
})

t.test('does not take a formula error as text', async (t) => {
  const { vehicles, faults } = await readLines('Make,Model,Trim', 'Honda,Civic,#REF!')
  t.equal(vehicles[0]?.trim, undefined)
  t.match(faults, [{ row: 2, column: 'Trim', text: '#REF!' }])
})

t.test('treats a make, model or trim such as "n/a" as missing', async (t) => {
  for (const nothing of ['N/A', 'n.a.', 'NA', 'TBD', 'tba', 'None', 'unknown', '-', '--', '?', 'Not available']) {
    const { vehicles, faults } = await oneVehicle({
      VIN: '1HGCM82633A004352',
      Make: nothing,
      Model: nothing,
      Trim: nothing,
    })
    t.match(vehicles, [{ make: 'Honda', model: 'Accord' }], nothing)
    t.equal(vehicles[0]?.trim, undefined, nothing)
    t.same(faults, [], nothing)
    const { vehicles: unnamed } = await oneVehicle({ Make: nothing }, { VIN: undefined })
    t.same(unnamed, [], `${nothing} names no vehicle`)
  }
})

t.test('reads the unit of mileage from its own column', async (t) => {
  const rows: [unit: string, heading: string, miles: number | undefined][] = [
    ['KM', 'Odometer', 62_137],
    ['Kilometers', 'Odometer', 62_137],
    ['K', 'Odometer', 62_137],
    ['MI', 'Odometer', 100_000],
    ['Miles', 'Odometer (km)', 100_000],
    ['M', 'Kilometrage', 100_000],
    ['', 'Odometer (km)', 62_137],
    ['hours', 'Odometer', undefined],
  ]
  for (const [unit, heading, miles] of rows)
    for (const name of ['Odometer Units', 'OdometerUnit', 'Mileage Unit', 'mi/km'].slice(
      0,
      heading === 'Odometer' ? 3 : 2,
    )) {
      const { vehicles, faults, summary } = await oneVehicle(
        { Mileage: '100,000', Color: unit },
        { Mileage: heading, Color: name },
      )
      t.equal(vehicles[0]?.mileage, miles, `${heading}, ${name}: ${unit}`)
      t.equal(faults.length, miles === undefined ? 1 : 0, `${heading}, ${name}: ${unit}`)
      t.same(summary.unread, [])
    }
})

t.test("does not fill in the VIN's model next to a different make", async (t) => {
  const sheet = async (make: string) =>
    (await oneVehicle({ VIN: '1GNSKBKC0LR000001', Make: make, Model: '' })).vehicles[0]
  t.match(await sheet('Chevrolet'), { make: 'Chevrolet', model: 'Tahoe' })
  t.match(await sheet('Chevy'), { make: 'Chevy', model: 'Tahoe' })
  const other = await sheet('Toyota')
  t.match(other, { make: 'Toyota' })
  t.equal(other?.model, undefined)
})
