import { formatNumber } from '#shared/format.ts'
import type { SheetFault } from '#shared/schemas/posting.ts'

/** Limits for one spreadsheet, so that an uploaded file cannot exhaust the process. */
const unpackedMaxMb = 20
export const columnsMax = 1_000
const rowsMax = 25_000

/** The file cannot be used. The message is shown to the dealer. */
export class SheetRefused extends Error {}

/** A row that is not empty. `number` is the spreadsheet's row number, from 1. */
export interface SheetRow {
  number: number
  cells: readonly string[]
}

/** Rows of a file before its columns are known. */
export interface SheetTable {
  rows: readonly SheetRow[]
  faults: readonly SheetFault[]
  /** Rows hidden or filtered in the workbook. `rows` does not include them. */
  hiddenRows: number
  /** True for delimited text, in which one extra delimiter shifts all later cells. */
  isText: boolean
  /** By row number: columns whose cell and the next cell may be two parts of one number, split at its comma. */
  splits?: ReadonlyMap<number, readonly number[]>
  /** Indexes of the columns that are hidden in the workbook. They are not read. */
  hiddenColumns?: ReadonlySet<number>
  /** Names of the other visible sheets of the workbook. They are not read. */
  otherSheets?: readonly string[]
}

/** Fault of a row whose cells may be shifted. */
export const tooWide = 'the row has more cells than the heading, so cells may be in the wrong columns'

/** Limits the unpacked size of a spreadsheet. A text counts once per cell that shows it. */
export class SheetBudget {
  #left = unpackedMaxMb * 1024 * 1024

  /** @throws SheetRefused if the budget is exceeded */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0)
      throw new SheetRefused(`The spreadsheet holds more than ${unpackedMaxMb} MB. Split it into smaller ones`)
  }
}

/** Collects rows. Empty rows and trailing empty cells are dropped and do not count. */
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
