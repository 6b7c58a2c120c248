import { formatNumber } from '#shared/format.ts'
import type { SheetFault } from '#shared/schemas/posting.ts'

/** Limits for one spreadsheet, so that an uploaded file cannot exhaust the process's memory. */
const unpackedMaxMb = 20
export const columnsMax = 1_000
const rowsMax = 25_000

/** Thrown if a file cannot be used. The dealer sees the message. */
export class SheetRefused extends Error {}

/** A row that is not empty. `number` is its row number in the spreadsheet, starting at 1. */
export interface SheetRow {
  number: number
  cells: readonly string[]
}

export interface SheetTable {
  rows: readonly SheetRow[]
  faults: readonly SheetFault[]
  hiddenRows: number
  /** True for delimited text, in which one extra delimiter shifts all later cells of a row. */
  isText: boolean
  /** For each row number, the columns that may hold the start of a number split at its comma. The next column holds the rest. */
  splits?: ReadonlyMap<number, readonly number[]>
  hiddenColumns?: ReadonlySet<number>
  otherSheets?: readonly string[]
}

export const tooWide = 'the row has more cells than the heading, so cells may be in the wrong columns'

/** Limits the unpacked size of a spreadsheet. Text that several cells share counts once for each cell. */
export class SheetBudget {
  #left = unpackedMaxMb * 1024 * 1024

  /** @throws SheetRefused if the budget is exceeded */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0)
      throw new SheetRefused(
        `The spreadsheet contains more than ${unpackedMaxMb} MB of data. Split it into smaller files`,
      )
  }
}

/** Collects rows. Drops empty rows and trailing empty cells, which do not count toward the limits. */
export class SheetGrid {
  readonly rows: SheetRow[] = []

  /** @throws SheetRefused if there are too many rows or columns */
  add(number: number, cells: readonly string[]): void {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return
    if (number > rowsMax || this.rows.length >= rowsMax)
      throw new SheetRefused(`The spreadsheet has more than ${formatNumber(rowsMax)} rows. Split it into smaller ones`)
    assertColumn(last)
    this.rows.push({ number, cells: cells.slice(0, last + 1) })
  }
}

/** @throws SheetRefused if the index exceeds the column limit */
export function assertColumn(index: number): void {
  if (index >= columnsMax)
    throw new SheetRefused(
      `The spreadsheet has more than ${formatNumber(columnsMax)} columns. Keep those about the vehicles`,
    )
}
