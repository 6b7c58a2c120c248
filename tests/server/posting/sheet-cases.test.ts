import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { readFile } from '#tests/support/read-sheet.ts'

// Sheets that are easy to misread. `sheets.json` contains the expected results.

interface SheetCase {
  kind: string
  file: string
  name: string
  right: string
}

type Content = Awaited<ReturnType<typeof readFile>>

const folder = 'tests/server/posting/sheets'
const cases = JSON.parse(readFileSync(`${folder}/sheets.json`, 'utf8')) as SheetCase[]

const counts = (vehicles: number) => (t: Test, content: Content) => t.equal(content.vehicles.length, vehicles)
const first = (wanted: Partial<NewVehicle>) => (t: Test, content: Content) => t.match(content.vehicles[0], wanted)

/** Checks for the cases that have more than one expected value. */
const special: Record<string, (t: Test, content: Content) => unknown> = {
  '08': first({ mileage: 44_739 }),
  '15': (t, { vehicles, faults }) => {
    t.same(vehicles, [])
    t.match(faults, [{ row: 2, column: 'VIN', text: '1HGCM82633A004352 1FTFW1E50NFA12340' }])
  },
  '51': (t, { summary }) => t.match(summary, { unread: ['Our Best Figure'], priceFrom: [] }),
  '52': first({ price: 12_995 }),
  '53': counts(3),
  '54': (t, { vehicles, faults }) => {
    t.equal(vehicles.length, 3)
    t.match(faults, [{ row: 2, message: /quotation mark is not closed/ }])
  },
  '55': (t, content) => {
    counts(3)(t, content)
    first({ trim: 'EX "Touring"' })(t, content)
  },
  '56': first({ price: 12_995.5 }),
  '57': counts(2),
  '58': (t, { vehicles, faults }) => {
    t.equal(vehicles.length, 2)
    t.same(faults, [])
  },
  '59': first({ city: 'Montréal', trim: '“Touring” – Série' }),
  '60': first({ city: 'Montréal' }),
  '61': counts(1),
  '62': first({ model: 'Town & Country' }),
  '63': first({ model: 'Accord' }),
  '64': counts(1),
  '65': (t, { vehicles, summary }) => {
    t.equal(vehicles.length, 1)
    t.equal(summary.hiddenRows, 1)
  },
  '66': first({ mileage: 45_000 }),
  '67': (t, { vehicles, summary }) => {
    t.match(vehicles[0], { price: 12_995, mileage: 45_123, model: 'Accord', color: 'Gray' })
    t.same(summary.priceFrom, ['sellingprice'])
    t.ok(['msrp', 'invoice', 'bookvalue', 'modelnumber'].every((name) => summary.unread.includes(name)))
  },
  '68': (t, { vehicles }) => {
    t.equal(vehicles.length, 1)
    t.match(vehicles[0], { vin: '1HGCM82633A004352', price: 12_995, mileage: 45_123 })
  },
}

const fieldOf = (kind: string) => kind.replace('heading ', '').toLowerCase() as keyof NewVehicle

for (const { kind, file, name, right } of cases)
  t.test(`${file.slice(0, 2)} ${name}`, async (t) => {
    const content = await readFile(readFileSync(`${folder}/${file}`))
    const check = special[file.slice(0, 2)]
    if (check) return void check(t, content)
    const [vehicle] = content.vehicles
    const field = fieldOf(kind)
    if (!right.startsWith('not given')) return void t.equal(vehicle?.[field], JSON.parse(right))
    t.ok(vehicle)
    t.equal(vehicle?.[field], undefined)
    t.match(content.faults, [{ row: 2, message: String, text: String, listed: true }])
  })
