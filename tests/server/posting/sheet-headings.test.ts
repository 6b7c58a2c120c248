import t from 'tap'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { oneVehicle, readLines } from '#tests/support/read-sheet.ts'

type Filled = 'VIN' | 'Year' | 'Make' | 'Model' | 'Trim' | 'Mileage' | 'Price' | 'City' | 'State' | 'Color'

const values: Record<Filled, string | number> = {
  VIN: '1HGCM82633A004352',
  Year: 2019,
  Make: 'Honda',
  Model: 'Accord',
  Trim: 'EX',
  Mileage: 45_123,
  Price: 12_995,
  City: 'Austin',
  State: 'TX',
  Color: 'Gray',
}

const synonyms: Record<Filled, string[]> = {
  VIN: [
    'VIN #',
    'vin_number',
    'VehicleVIN',
    'Vehicle Identification Number',
    'Chassis No',
    'NIV',
    'Numéro de série',
    'VIN__c',
    'v_vin',
    'Vehicle Info - VIN',
    '17 Digit VIN',
    'Vehicle ID Number',
    'FIN',
    'Fahrgestellnummer',
  ],
  Year: ['Yr', 'Model Year', 'vehicle_year', 'YEAR:', 'Année', 'MY', 'Baujahr', 'Año', 'Modelljahr', 'vehicle.year'],
  Make: ['Vehicle Make', 'Manufacturer', 'MakeName', 'Marque', 'brand', 'Marke', 'Marca', 'Make__c'],
  Model: ['Vehicle Model', 'model_name', 'Modèle', 'Mdl', 'Modell', 'Modelo', 'Vehicle Info - Model'],
  Trim: ['Trim Level', 'VehicleTrim', 'Series', 'Style', 'Version', 'Finition'],
  Mileage: [
    'Miles',
    'Odometer (mi)',
    'Odometer Reading',
    'Vehicle_Mileage',
    'Current Miles',
    'Millage',
    'Odomètre',
    'Milage',
    'Actual Miles',
    'Miles Driven',
    'Current Odometer Reading',
    'Odometer_Reading__c',
    'MLG',
    'Millas',
  ],
  Price: [
    'Asking\nPrice',
    'PRICE ($)',
    'VehiclePrice',
    'Dealer Price',
    'Wholesale Price USD',
    'Selling Price',
    'sale_price',
    'Internet_Price',
    'Online Price',
    'ListPrice',
    'Retail',
    'Our Price',
    'Prix',
    'Prix demandé',
    'Prix de vente',
    'Prix affiché',
    'Prix (USD)',
    'Price (Wholesale)',
    'AdvertisingPrice',
    '$',
    'Whsle Price',
    'Posted Price',
    'Discount Price',
    'Dealer Asking Price',
    'Nettopreis',
    'WS Price',
    'B2B Price',
    'Pricing - Wholesale',
    'pricing.asking',
    'Price__c',
    'Preis',
    'Precio de venta',
  ],
  City: ['Town', 'Dealer City', 'Lot City', 'Ville', 'Pickup City', 'Town/City', 'Ciudad'],
  State: ['ST', 'Province', 'State / Prov', 'dealer_state', 'Province/État', 'Pickup State', 'Pickup Location State'],
  Color: [
    'Ext. Color',
    'ExteriorColor',
    'Vehicle Color',
    'Colour',
    'Paint',
    'Couleur extérieure',
    'ext_clr',
    'Außenfarbe',
    'Color exterior',
    'Farbe',
  ],
}

for (const [name, headings] of Object.entries(synonyms) as [Filled, string[]][])
  t.test(`${headings.length} headings of ${name}`, async (t) => {
    for (const heading of headings) {
      const { vehicles } = await oneVehicle({}, { [name]: heading })
      t.equal(vehicles[0]?.[name.toLowerCase() as keyof NewVehicle], values[name], heading)
    }
  })

t.test('never takes a column of costs or suggested prices as the price', async (t) => {
  const headings = [
    'MSRP',
    'Cost',
    'Vehicle Cost',
    'Invoice',
    'Invoice Price',
    'Book Value',
    'KBB Retail',
    'Purchase Price',
    'Original Price',
    'Reserve Price',
    'Price Change',
    'Days at Price',
    'Sticker Price',
    'Base Price',
    'Price (MSRP)',
    'Price [Cost]',
    'Price (monthly)',
    'Price (last year)',
    'Price (avg competitor)',
    'Color (Int)',
    'Model Number',
    'Model #',
    'Interior Color',
    'Stock Number',
    'Last 8 VIN',
    'VIN8',
    'Trade-In Value',
  ]
  for (const heading of headings) {
    const { vehicles, summary } = await oneVehicle({}, { Price: heading })
    t.equal(vehicles[0]?.price, undefined, heading)
    const { columns: _columns, ...unread } = summary
    t.same(unread, { priceFrom: [], unread: [heading], hiddenRows: 0, moreFaults: 0 })
  }
})

t.test('uses the price column of the first rank, and the next one where it is empty or 0', async (t) => {
  const { vehicles, summary } = await readLines(
    'VIN,Retail Price,MSRP,Internet Price,Asking,Cost,Wholesale',
    '1HGCM82633A004352,15000,30000,14000,13000,9000,12000',
    '5YJ3E1EA7KF317000,15000,30000,14000,13000,9000,0',
    '1FTFW1E50NFA12340,15000,30000,14000,,9000,-',
    '4T1BE46K19U856421,15000,30000,,,9000,',
    '1FTFW1E59NKD69096,,30000,,,9000,',
    '1FTFW1E50MFA00001,15000,30000,14000,13000,9000,call',
  )
  t.same(
    vehicles.map(({ price }) => price),
    [12_000, 13_000, 14_000, 15_000, undefined, undefined],
  )
  t.same(summary.priceFrom, ['Wholesale', 'Asking', 'Internet Price', 'Retail Price'])
  t.same(summary.unread, ['MSRP', 'Cost'])
})

t.test('uses the first filled one of two columns with the same name', async (t) => {
  const { vehicles } = await readLines(
    'Make,Model,Trim,Color,Series,Exterior Color',
    'Honda,Civic,,,LX,Blue',
    'Honda,Civic,EX,Red,LX,Blue',
  )
  t.match(vehicles, [
    { trim: 'LX', color: 'Blue' },
    { trim: 'EX', color: 'Red' },
  ])
})

t.test('names columns without a heading by their letter', async (t) => {
  const { summary } = await readLines('VIN,,Make,Model,Stock #,', '1HGCM82633A004352,x,Honda,Accord,A1,', ',,Kia,Rio,,')
  t.same(summary.unread, ['column B, without a heading', 'Stock #'])
})

t.test('takes the row that names the most columns as the heading', async (t) => {
  const { vehicles, summary } = await readLines(
    'Weekly list,,,,',
    'VIN,,Make,Model,Price',
    'VIN,Year,Make,Model,Wholesale',
    '1HGCM82633A004352,2019,Honda,Accord,12995',
  )
  t.match(vehicles, [{ year: 2019, price: 12_995 }])
  t.same(summary.priceFrom, ['Wholesale'])
})

t.test('joins the names of a two-row heading', async (t) => {
  const { vehicles } = await readLines(
    'VIN,Vehicle,,,Pricing,',
    ',Year,Make,Model,Wholesale,Retail',
    '1HGCM82633A004352,2019,Honda,Accord,12995,15000',
  )
  t.match(vehicles, [{ vin: '1HGCM82633A004352', year: 2019, price: 12_995 }])
})

const exports: Record<string, string> = {
  vAuto:
    'Stock #,Vehicle,Year,Make,Model,Series,VIN,Odometer,Exterior Color,Internet Price,MSRP,Unit Cost,Days In Inventory',
  HomeNet:
    'DealerID,Type,Stock,VIN,Year,Make,Model,Body,Trim,ModelNumber,ExteriorColor,Miles,SellingPrice,MSRP,BookValue',
  DealerCenter:
    'StockNumber,VIN,Year,Make,Model,Trim,Odometer,ExteriorColor,AdvertisingPrice,WholesalePrice,VehicleCost',
  Frazer: 'VehicleVin,StockNo,VehicleYear,VehicleMake,VehicleModel,VehicleTrim,VehicleMileage,VehicleColor,RetailPrice',
  vinSolutions: 'Vin,StockNumber,Year,Make,Model,Trim,Mileage,Exterior Colour,Selling Price,Internet Price,Invoice',
  AutoManager: 'VIN Number,Stock No.,Model Year,Make,Model,Trim Level,Mileage,Ext Color,Asking Price,Cost Total',
}

for (const [system, heading] of Object.entries(exports))
  t.test(`reads the usual columns of ${system}`, async (t) => {
    const names = heading.split(',')
    const cell = (name: string) => {
      if (/cost|msrp|invoice|book/i.test(name)) return '1'
      if (/price/i.test(name)) return '12995'
      if (/vin/i.test(name)) return '1HGCM82633A004352'
      if (/year/i.test(name)) return '2019'
      if (/mile|odo/i.test(name)) return '45123'
      if (/make/i.test(name)) return 'Honda'
      if (/^(vehicle)?model$/i.test(name)) return 'Accord'
      if (/trim|series/i.test(name)) return 'EX'
      return /colou?r/i.test(name) ? 'Gray' : 'x'
    }
    const { vehicles, faults } = await readLines(heading, names.map(cell).join(','))
    const { City: _city, State: _state, ...told } = values
    t.match(vehicles, [Object.fromEntries(Object.entries(told).map(([name, value]) => [name.toLowerCase(), value]))])
    t.same(faults, [])
  })

t.test('prefers other columns to one with unknown words in brackets, and lists it', async (t) => {
  const alone = await oneVehicle({}, { Price: 'Price (Lane B)' })
  t.match(alone, {
    vehicles: [{ price: 12_995 }],
    faults: [{ row: 1, column: 'Price (Lane B)', message: /unknown words/, listed: true }],
  })
  const beside = await readLines('Make,Model,Price (Lane B),Retail Price', 'Honda,Accord,1500,12995')
  t.match(beside.vehicles, [{ price: 12_995 }])
  t.same(beside.summary.priceFrom, ['Retail Price', 'Price (Lane B)'])
  t.match((await oneVehicle({}, { Mileage: 'Miles (at last service)' })).vehicles, [{ price: 12_995 }])
  for (const heading of ['Price (USD)', 'Price ($)', 'Price (excl. tax)', 'Price (Wholesale)', 'Price (asking)'])
    t.same((await oneVehicle({}, { Price: heading })).faults, [], heading)
})

t.test('reads several spellings of a heading in thousands', async (t) => {
  for (const unit of ['$1000s', '$1,000s', "000's", 'x1000', 'in thousands', '$K', 'k$', 'USD 000s', 'thousands'])
    t.match((await oneVehicle({ Price: '13' }, { Price: `Price (${unit})` })).vehicles, [{ price: 13_000 }], unit)
  t.match((await oneVehicle({ Mileage: '45' }, { Mileage: 'Miles (1000s)' })).vehicles, [{ mileage: 45_000 }])
})

t.test('prefers a price in US dollars to one in another currency', async (t) => {
  for (const [first, second] of [
    ['Price (CAD)', 'Price (USD)'],
    ['Wholesale Price CAD', 'Price'],
    ['Net Price (EUR)', 'Retail Price'],
  ] as const) {
    const { vehicles, summary } = await readLines(`Make,Model,${first},${second}`, 'Honda,Accord,17500,12995')
    t.match(vehicles, [{ price: 12_995 }], first)
    t.same(summary.priceFrom, [second, first])
  }
})

t.test('reports a mileage whose heading names miles and kilometers, unless a column says which', async (t) => {
  for (const Mileage of ['Mileage (mi/km)', 'Miles/KM', 'Odometer km / mi']) {
    t.match(await oneVehicle({}, { Mileage }), {
      vehicles: [{ mileage: undefined }],
      faults: [{ row: 2, column: Mileage, text: '45123', message: /miles and kilometers/, listed: true }],
    })
    t.match(
      (await oneVehicle({ Mileage: '72,000 km' }, { Mileage })).vehicles,
      [{ mileage: 44_739 }],
      'the cell says it',
    )
  }
  for (const unit of ['Miles/KM', 'mi / km', 'KM/Miles']) {
    const { vehicles } = await readLines(`Make,Model,Odometer,${unit}`, 'Honda,Accord,72000,KM', 'Honda,Civic,45123,mi')
    t.match(vehicles, [{ mileage: 44_739 }, { mileage: 45_123 }], unit)
  }
})

t.test('reads a unit below a heading as its unit', async (t) => {
  const rows = ['Make,Model,Year,Mileage,Price', ',,,miles,USD', 'Honda,Accord,2019,45123,12995']
  t.match((await readLines(...rows)).vehicles, [{ mileage: 45_123, price: 12_995 }])
  const inKm = await readLines('Make,Model,Mileage,Price', ',,km,CAD', 'Honda,Accord,72000,12995')
  t.match(inKm, { vehicles: [{ mileage: 44_739, price: 12_995 }], faults: [{ message: /Canadian/ }] })
  const thousands = await readLines('Make,Model,Mileage,Price', ',,,(000s)', 'Honda,Accord,45123,12.9')
  t.match(thousands.vehicles, [{ price: undefined }])
  t.match(thousands.faults.at(-1), { row: 3, column: 'Price', text: '12.9' }, 'or names the cell')
})

t.test('splits a column of city and state', async (t) => {
  for (const [heading, cell] of [
    ['City/State', 'Austin, TX'],
    ['City', 'Austin, Texas 78701'],
    ['City, State', 'Austin TX'],
  ] as const) {
    const { vehicles } = await oneVehicle({ City: cell }, { City: heading, State: undefined })
    t.match(vehicles, [{ city: 'Austin', state: 'TX' }], heading)
  }
  t.match((await oneVehicle({ City: 'Austin, TX', State: 'OK' })).vehicles, [{ city: 'Austin', state: 'OK' }])
  t.match((await oneVehicle({ City: 'Winston-Salem' })).vehicles, [{ city: 'Winston-Salem' }])
  for (const [City, State] of [
    ['WEST LA', 'CA'],
    ['West LA', ''],
    ['Paris, France', 'TX'],
    ['Fairfax/VA', 'IA'],
  ] as const)
    t.match((await oneVehicle({ City, State })).vehicles, [{ city: City, state: State }], City)
})

t.test('reads a heading in two languages or with a number', async (t) => {
  const french =
    'NIV / VIN,Année/Year,Marque / Make,Modèle|Model,Kilométrage / Mileage,Prix / Price,Ville / City,Province/State'
  const row = '1HGCM82633A004352,2019,Honda,Accord,45123,12995,Austin,TX'
  const right = [{ year: 2019, make: 'Honda', model: 'Accord', mileage: 45_123, price: 12_995, city: 'Austin' }]
  t.match((await readLines(french, row)).vehicles, right)
  t.match((await readLines('1) VIN,2. Year,(3) Make,D. Model,5. Miles,6) Price,G) City,H) State', row)).vehicles, right)
  const stock = await readLines('Make,Model,Stock / Price,Interior/Exterior', 'Honda,Accord,12995,Gray')
  t.same(stock.summary.unread, ['Stock / Price', 'Interior/Exterior'], 'two different columns')
})

t.test('takes year, make and model from one column', async (t) => {
  for (const [names, row, right] of [
    ['Year Make Model,Price', '2019 Honda Accord EX,12995', { year: 2019, make: 'Honda', model: 'Accord EX' }],
    [
      'Vehicle,VIN,Price',
      "'19 Land Rover Range Rover Sport,SALYB2RV4JA756586,12995",
      { year: 2019, make: 'Land Rover', model: 'Range Rover Sport' },
    ],
    [
      'Year,Make/Model,Price',
      '2019,Mercedes-Benz / GLC 300,12995',
      { year: 2019, make: 'Mercedes-Benz', model: 'GLC 300' },
    ],
    ['YMM,Price', 'Chevy - Silverado - 2019,12995', { year: 2019, make: 'Chevy', model: 'Silverado' }],
    [
      'Vehicle,Year,Make,Model,Price',
      '2020 Kia Rio,2019,Honda,Accord,12995',
      { year: 2019, make: 'Honda', model: 'Accord' },
    ],
  ] as const) {
    const { vehicles, faults } = await readLines(names, row)
    t.match(vehicles, [{ ...right, price: 12_995 }], names)
    t.same(faults, [], names)
  }
  const unclear = await readLines('Year Make Model,VIN,Price', 'Accord EX,1HGCM82633A004352,12995')
  t.match(unclear, {
    vehicles: [{ make: 'Honda', price: 12_995 }],
    faults: [{ row: 2, column: 'Year Make Model', text: 'Accord EX', message: /could not be separated/, listed: true }],
  })
  for (const name of ['Vehicle', 'Car', 'Unit']) {
    const type = await readLines(`${name},VIN,Price`, 'SUV,1HGCM82633A004352,12995', '12,5YJ3E1EA7KF317000,9995')
    t.match(type, { faults: [], summary: { unread: [name] } }, `${name} may mean something else`)
  }
})

t.test('prefers a named price to a column of dollars', async (t) => {
  const { vehicles } = await readLines('Make,Model,$,Retail Price', 'Honda,Accord,500,12995')
  t.match(vehicles, [{ price: 12_995 }])
  t.match((await readLines('Make,Model,$', 'Honda,Accord,12995')).vehicles, [{ price: 12_995 }])
})
