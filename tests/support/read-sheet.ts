import { readSheet } from '#server/features/posting/sheets/sheet-reader.ts'
import type { SheetContent } from '#server/features/posting/sheets/sheet-rows.ts'

/** Reads a spreadsheet as the server does, but in this thread and without a database. */
export const readFile = (content: Buffer, place = { city: '', state: '' }): Promise<SheetContent> =>
  readSheet({ content, place, vehiclesMax: 2_000 })

export const readLines = (...lines: string[]): Promise<SheetContent> => readFile(Buffer.from(lines.join('\r\n')))

const filled = {
  VIN: '1HGCM82633A004352',
  Year: '2019',
  Make: 'Honda',
  Model: 'Accord',
  Trim: 'EX',
  Mileage: '45123',
  Price: '12995',
  City: 'Austin',
  State: 'TX',
  Color: 'Gray',
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Reads a sheet with one vehicle. `headings` renames columns, or removes a column if its name is undefined. */
export function oneVehicle(
  cells: Partial<Record<keyof typeof filled, string>>,
  headings: Partial<Record<keyof typeof filled, string | undefined>> = {},
): Promise<SheetContent> {
  const row = { ...filled, ...cells }
  const names = (Object.keys(row) as (keyof typeof filled)[]).filter(
    (name) => !(name in headings) || headings[name] !== undefined,
  )
  return readLines(
    names.map((name) => quoted(headings[name] ?? name)).join(','),
    names.map((name) => quoted(row[name])).join(','),
  )
}
