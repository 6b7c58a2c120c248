import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { vinLength } from '#shared/limits.ts'
import { usStates } from '#shared/places.ts'
import { holds, sameJson } from '#tests/support/properties.ts'
import { readFile } from '#tests/support/read-sheet.ts'
import { anXlsx } from '#tests/support/sheets.ts'

const word = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
const plainLetters = 'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789'
const anyLetters = `${plainLetters}éèüñçÀ&/.-'’`
/** Characters that need quotes in some CSV dialects. */
const signs = '",;|\t'
const name = fc.tuple(word(plainLetters), word(anyLetters)).map((words) => words.join(' '))
const phrase = fc
  .array(word(anyLetters + signs), { minLength: 1, maxLength: 4 })
  .map((words) => `a${words.join(' ').replace(/\s+/g, ' ')}z`)

const vehicle = fc.record({
  vin: fc.string({
    unit: fc.constantFrom(...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'),
    minLength: vinLength,
    maxLength: vinLength,
  }),
  year: fc.integer({ min: 1981, max: 2027 }),
  make: name,
  model: name,
  trim: phrase,
  mileage: fc.integer({ min: 1, max: 999_999 }),
  price: fc.integer({ min: 10_000, max: 99_999_999 }).map((cents) => cents / 100),
  city: name,
  state: fc.constantFrom(...usStates),
})
type Vehicle = typeof vehicle extends fc.Arbitrary<infer Value> ? Value : never

const headings = ['VIN', 'Year', 'Make', 'Model', 'Trim', 'Miles', 'Asking Price', 'City', 'State']

interface Spelling {
  thousands: string
  decimal: string
}

function numberIn(value: number, decimals: number, { thousands, decimal }: Spelling): string {
  const [whole = '', rest] = value.toFixed(decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  return rest === undefined ? grouped : `${grouped}${decimal}${rest}`
}

const cellsOf = ({ vin, year, make, model, trim, mileage, price, city, state }: Vehicle, spelling: Spelling) => [
  vin,
  String(year),
  make,
  model,
  trim,
  numberIn(mileage, 0, spelling),
  numberIn(price, 2, spelling),
  city,
  state,
]

interface Dialect {
  separator: string
  newline: string
  quotesAll: boolean
  spelling: Spelling
  encode: (text: string) => Buffer
}

const dialects: Record<string, Dialect> = {
  'commas, UTF-8 with a mark': {
    separator: ',',
    newline: '\r\n',
    quotesAll: false,
    spelling: { thousands: ',', decimal: '.' },
    encode: (text) => Buffer.from(`\ufeff${text}`),
  },
  'semicolons and decimal commas, Windows-1252': {
    separator: ';',
    newline: '\r\n',
    quotesAll: false,
    spelling: { thousands: '.', decimal: ',' },
    encode: (text) => Buffer.from(text.replaceAll('’', '\u0092'), 'latin1'),
  },
  'tabs, UTF-16': {
    separator: '\t',
    newline: '\r\n',
    quotesAll: false,
    spelling: { thousands: '\u00a0', decimal: ',' },
    encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  },
  'pipes, every cell quoted': {
    separator: '|',
    newline: '\n',
    quotesAll: true,
    spelling: { thousands: '', decimal: '.' },
    encode: (text) => Buffer.from(text),
  },
}

function written(rows: readonly (readonly string[])[], { separator, newline, quotesAll, encode }: Dialect): Buffer {
  const cell = (text: string) =>
    quotesAll || /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
  return encode(rows.map((row) => row.map(cell).join(separator) + newline).join(''))
}

const sheet = fc.uniqueArray(vehicle, { minLength: 1, maxLength: 12, selector: ({ vin }) => vin })

async function roundTrips(vehicles: readonly Vehicle[], file: Buffer): Promise<void> {
  const content = await readFile(file)
  sameJson(content.vehicles, vehicles)
  sameJson(content.faults, [])
}

for (const [title, dialect] of Object.entries(dialects))
  t.test(`reads back any sheet with ${title}`, (t) =>
    holds(
      t,
      fc.asyncProperty(sheet, (vehicles) =>
        roundTrips(vehicles, written([headings, ...vehicles.map((one) => cellsOf(one, dialect.spelling))], dialect)),
      ),
    ),
  )

t.test('reads back any workbook', (t) =>
  holds(
    t,
    fc.asyncProperty(sheet, (vehicles) => {
      const rows = vehicles.map(({ vin, year, make, model, trim, mileage, price, city, state }) => [
        vin,
        year,
        make,
        model,
        trim,
        mileage,
        price,
        city,
        state,
      ])
      return roundTrips(vehicles, anXlsx([headings, ...rows]))
    }),
  ),
)

t.test('reports a misplaced quotation mark and loses only its own row', (t) =>
  holds(
    t,
    fc.asyncProperty(
      fc.uniqueArray(vehicle, { minLength: 3, maxLength: 6, selector: ({ vin }) => vin }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('"', '""', '\\"', ' "', '"""'),
      fc.constantFrom(...Object.values(dialects).slice(0, 2), ...Object.values(dialects).slice(3)),
      async (vehicles, row, place, mark, dialect) => {
        const text = written([headings, ...vehicles.map((one) => cellsOf(one, dialect.spelling))], dialect).toString(
          'latin1',
        )
        const lines = text.split(dialect.newline)
        const at = 1 + (row % vehicles.length)
        const line = lines[at] ?? ''
        const cut = place % (line.length + 1)
        lines[at] = line.slice(0, cut) + mark + line.slice(cut)
        const content = await readFile(Buffer.from(lines.join(dialect.newline), 'latin1'))
        const read = content.vehicles.map(({ vin }) => vin)
        const others = vehicles.filter((_, index) => index !== at - 1).map(({ vin }) => vin)
        assert.deepEqual(
          read.filter((vin) => others.includes(vin ?? '')),
          others,
        )
        const isKept = content.vehicles.length === vehicles.length
        assert.ok(isKept || content.faults.some((fault) => fault.row === at + 1), 'its row is named')
      },
    ),
  ),
)
