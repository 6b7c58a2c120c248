import { formatNumber } from '#shared/format.ts'
import type { SheetFault } from '#shared/schemas/posting.ts'

/** What is read of one spreadsheet at most. More is refused: what a stranger sends decides nothing about this process. */
const unpackedMaxMb = 20
const columnsMax = 1_000
const rowsMax = 25_000

/** A file that cannot be used, in words for the dealer who gave it. */
export class SheetRefused extends Error {}

/** A row with something in it. `number` counts as the spreadsheet does, from 1. */
export interface SheetRow {
  number: number
  cells: readonly string[]
}

/** The rows of a file before anybody knows what they are about. */
export interface SheetTable {
  rows: readonly SheetRow[]
  /** Rows that are damaged in the file itself. */
  faults: readonly SheetFault[]
  /** Rows that the file's author has hidden or filtered out. They are not among `rows`. */
  hiddenRows: number
  /** The cells of a row are told apart by a sign between them, so that one too many moves the others. */
  isText: boolean
}

/** Why a row is left out whose cells may be out of place. */
export const tooWide = 'the row has more cells than the heading, so that they may be out of place'

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
    throw new SheetRefused(
      `The spreadsheet has more than ${formatNumber(columnsMax)} columns. Keep those about the vehicles`,
    )
}
