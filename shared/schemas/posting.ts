import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf } from '#shared/values.ts'
import { NewVehicle } from './posts.ts'

/** GET /api/vin/{vin}: all that is known about a VIN. Warnings never block. */
export const VinReport = Type.Object({
  vin: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  body: Nullable(Type.String()),
  /** Where the fields come from: our own tables, or vPIC data when the offline package is installed. */
  source: oneOf(['tables', 'vpic', 'none'] as const),
  /** False: the 9th character is not the one the others ask for (49 CFR 565.15). */
  checkDigitHolds: Type.Boolean(),
  expectedCheckDigit: Nullable(Type.String()),
  /** Active posts of the network with the same VIN, newest first, at most five. */
  activePosts: Type.Array(
    Type.Object({ id: Id, title: Type.String(), dealershipName: Type.String(), own: Type.Boolean() }),
  ),
})
export type VinReport = Static<typeof VinReport>

/** A cell or a row of a spreadsheet that could not be used. */
export const SheetFault = Type.Object({
  /** Counts as the spreadsheet does, from 1. */
  row: Type.Integer(),
  /** Completes "Row 7: …". */
  message: Type.String(),
  /** Heading of the cell's column. Absent: the fault is about the whole row. */
  column: Type.Optional(Type.String()),
  /** The original text of the cell or the row. */
  text: Type.Optional(Type.String()),
  /** The vehicle is listed all the same. Absent: the row was left out. */
  listed: Type.Optional(Type.Boolean()),
})
export type SheetFault = Static<typeof SheetFault>

/** How a spreadsheet's columns and rows were used. */
export const SheetSummary = Type.Object({
  /** Headings of the columns that prices come from. A later one counts where those before it are empty. */
  priceFrom: Type.Array(Type.String()),
  /** Headings of the columns that were not read. */
  unread: Type.Array(Type.String()),
  /** Rows that are hidden or filtered out in a workbook. They are not read. */
  hiddenRows: Type.Integer(),
  /** Headings of the columns that are hidden in a workbook. They are not read. Absent: none. */
  hiddenColumns: Type.Optional(Type.Array(Type.String())),
  /** Names of the other visible sheets of a workbook. They are not read. Absent: none. */
  otherSheets: Type.Optional(Type.Array(Type.String())),
  /** Faults beyond those that are listed. */
  moreFaults: Type.Integer(),
})
export type SheetSummary = Static<typeof SheetSummary>

const sheetStates = ['waiting', 'done', 'failed'] as const
export type SheetState = (typeof sheetStates)[number]

/** GET /api/inventory/{id}/sheet: how the import of a spreadsheet post went; for its owner only. */
export const SheetReport = Type.Object({
  state: oneOf(sheetStates),
  /** Vehicles taken over into the post. */
  found: Type.Integer(),
  faults: Type.Array(SheetFault),
  /** Null until the spreadsheet has been read. */
  summary: Nullable(SheetSummary),
  /** Why the whole sheet failed, fit to be shown. */
  error: Nullable(Type.String()),
})
export type SheetReport = Static<typeof SheetReport>

/** POST /api/spreadsheets/preview: what an uploaded file holds, before it is posted. */
export const SheetPreviewRequest = Type.Object({ objectId: Id })
export type SheetPreviewRequest = Static<typeof SheetPreviewRequest>

export const SheetPreview = Type.Object({
  vehicles: Type.Array(NewVehicle),
  faults: Type.Array(SheetFault),
  summary: SheetSummary,
})
export type SheetPreview = Static<typeof SheetPreview>
