import { formatNumber } from '#shared/format.ts'

/** What is read of one spreadsheet at most. More is refused: what a stranger sends decides nothing about this process. */
const unpackedMaxMb = 5
const columnsMax = 200
const rowsMax = 10_000

/** A file that cannot be used, in words for the dealer who gave it. */
export class SheetRefused extends Error {}

/** A row with something in it. `number` counts as the spreadsheet does, from 1. */
export interface SheetRow {
  number: number
  cells: readonly string[]
}

/** Counts what one spreadsheet unpacks to: each part of it, and each text as often as a cell shows it. */
export class SheetBudget {
  #left = unpackedMaxMb * 1024 * 1024

  /** @throws SheetRefused when it is used up */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0)
      throw new SheetRefused(`The spreadsheet holds more than ${unpackedMaxMb} MB. Split it into smaller ones`)
  }
}

/** Takes a spreadsheet's rows one by one; rows and columns without content neither stay nor count. */
export class SheetGrid {
  readonly rows: SheetRow[] = []

  /** @throws SheetRefused beyond the last row that is read */
  add(number: number, cells: readonly string[]): void {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return
    if (number > rowsMax || this.rows.length >= rowsMax)
      throw new SheetRefused(`The spreadsheet has more than ${formatNumber(rowsMax)} rows. Split it into smaller ones`)
    assertColumn(last)
    this.rows.push({ number, cells: cells.slice(0, last + 1) })
  }
}

/** @throws SheetRefused beyond the last column that is read */
export function assertColumn(index: number): void {
  if (index >= columnsMax)
    throw new SheetRefused(`The spreadsheet has more than ${columnsMax} columns. Keep those about the vehicles`)
}
