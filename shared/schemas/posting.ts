import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { NewVehicle, PostPatch } from './posts.ts'
import { sheetFields } from '#shared/constants/posting.ts'

/** Everything known about a VIN. Warnings never prevent posting. */
export const VinReport = Type.Object({
  vin: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  body: Nullable(Type.String()),
  /** Source of these facts: our own tables or, if the offline package is installed, vPIC data. */
  source: oneOf(['tables', 'vpic', 'none'] as const),
  /** True if the 9th character is the check digit that the other characters require (49 CFR 565.15). */
  checkDigitHolds: Type.Boolean(),
  expectedCheckDigit: Nullable(Type.String()),
  /** Active posts in the network with the same VIN: the newest five. */
  activePosts: Type.Array(
    Type.Object({ id: Id, title: Type.String(), dealershipName: Type.String(), own: Type.Boolean() }),
  ),
})
export type VinReport = Static<typeof VinReport>

/** A problem in a cell or row of a spreadsheet. */
export const SheetFault = Type.Object({
  /** Row number, starting at 1. */
  row: Type.Integer(),
  /** Text that completes a sentence such as "Row 7: …". */
  message: Type.String(),
  /** Absent if the problem is about the whole row. */
  column: Type.Optional(Type.String()),
  /** Original text of the cell or row. */
  text: Type.Optional(Type.String()),
  /** True if the vehicle is listed despite the problem. Absent if the row was skipped. */
  listed: Type.Optional(Type.Boolean()),
})
export type SheetFault = Static<typeof SheetFault>
export type SheetField = (typeof sheetFields)[number]

/** Longer column headings are cut. */
export const columnNameMax = 80

const ChosenColumn = Type.Optional(Nullable(Type.String({ maxLength: columnNameMax })))

/** Maps each corrected field to its column's name, or to null if no column has this field. */
export const SheetColumnChoice = Type.Object(
  Object.fromEntries(sheetFields.map((field) => [field, ChosenColumn])) as Record<SheetField, typeof ChosenColumn>,
)
export type SheetColumnChoice = Static<typeof SheetColumnChoice>

export const SheetColumn = Type.Object({
  /** The column's heading or, if that is empty, the column's letter. Unique within the spreadsheet. */
  name: Type.String(),
  /** Null if the column is ignored. */
  field: Nullable(oneOf(sheetFields)),
  sample: Type.String(),
})
export type SheetColumn = Static<typeof SheetColumn>

export const SheetSummary = Type.Object({
  /** The columns in order, up to a limit. Absent if an older server read the spreadsheet. */
  columns: Type.Optional(Type.Array(SheetColumn)),
  /** The dealer's corrections that were applied to the columns. */
  chosen: Type.Optional(SheetColumnChoice),
  /** Headings of the price columns. If a row has no price in one column, the next column is used. */
  priceFrom: Type.Array(Type.String()),
  unread: Type.Array(Type.String()),
  /** Number of rows that were skipped, because they are hidden or filtered out in the workbook. */
  hiddenRows: Type.Integer(),
  /** Headings of hidden columns, which were skipped. */
  hiddenColumns: Type.Optional(Type.Array(Type.String())),
  /** Names of the workbook's other visible sheets, which were not read. */
  otherSheets: Type.Optional(Type.Array(Type.String())),
  /** Number of further problems that `faults` does not list. */
  moreFaults: Type.Integer(),
  /** Keys of the headings. DELETE /api/inventory/{id}/sheet/columns deletes corrections that were saved for them. Absent in previews. */
  headings: Type.Optional(Type.Array(Type.String())),
})
export type SheetSummary = Static<typeof SheetSummary>

const Change = Type.Object({ before: Nullable(Type.Number()), after: Nullable(Type.Number()) })

/** A vehicle that an import adds or removes, or whose price, mileage or VIN it changes. */
export const SheetChange = Type.Object({
  kind: oneOf(['added', 'removed', 'changed'] as const),
  vehicle: Type.String(),
  vin: Nullable(Type.String()),
  /** Absent if the VIN did not change. */
  vinBefore: Type.Optional(Nullable(Type.String())),
  /** In US dollars. Absent if the price did not change. */
  price: Type.Optional(Change),
  /** In miles. Absent if the mileage did not change. */
  mileage: Type.Optional(Change),
})
export type SheetChange = Static<typeof SheetChange>

export const SheetChanges = Type.Object({
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  /** Number of vehicles that had a price before the import and have none after it. */
  pricesLost: Type.Integer(),
  /** Number of vehicles that had a VIN before the import and have none after it. Absent in older reports. */
  vinsLost: Type.Optional(Type.Integer()),
  /** Only the first changes: removed vehicles, then vehicles that lost their price or VIN, then others. */
  list: Type.Array(SheetChange),
})
export type SheetChanges = Static<typeof SheetChanges>

/** The content of a spreadsheet, before it is published. */
const sheetContent = {
  found: Type.Integer(),
  priced: Type.Integer(),
  faults: Type.Array(SheetFault),
  summary: SheetSummary,
}

/** An import that waits for the approval of the post's owner. */
export const HeldSheet = Type.Object({
  id: Id,
  ...sheetContent,
  /** When the server loaded the link. Absent in older imports. */
  readAt: Type.Optional(Timestamp),
  /** True if the vehicles differ from the preview that the dealer saw. Absent if they match or there was no preview. */
  isOtherThanPreview: Type.Optional(Type.Boolean()),
  /** Null if the post has no vehicles from this spreadsheet yet. */
  changes: Nullable(SheetChanges),
  /**
   * Hash of all changes, including those omitted from `changes.list`. If it differs when the owner approves, the import is not published
   * and needs approval again.
   */
  changesKey: Type.Optional(Type.String()),
  /** The first vehicles, as they will look once published. */
  vehicles: Type.Array(NewVehicle),
})
export type HeldSheet = Static<typeof HeldSheet>

/** `held`: an import waits for the owner's approval. `failed`: the last read failed; the report is still about the published import. */
const sheetStates = ['waiting', 'done', 'failed', 'held'] as const
export type SheetState = (typeof sheetStates)[number]

/** The import result of a spreadsheet post. Only the post's owner can read it. */
export const SheetReport = Type.Object({
  state: oneOf(sheetStates),
  /** Number of vehicles that the import put into the post. */
  found: Type.Integer(),
  faults: Type.Array(SheetFault),
  /** Null until an import has been published. */
  summary: Nullable(SheetSummary),
  /** Tells the owner why the whole spreadsheet could not be read. */
  error: Nullable(Type.String()),
  /** Changes that the published import made. Null for the first import. */
  changes: Nullable(SheetChanges),
  held: Nullable(HeldSheet),
})
export type SheetReport = Static<typeof SheetReport>

/** Publishes the held import (`publish`) or keeps the current vehicles. For `endAuction`, see `PostPatch`. */
export const SheetDecision = Type.Object({
  heldId: Id,
  publish: Type.Boolean(),
  endAuction: PostPatch.properties.endAuction,
})
export type SheetDecision = Static<typeof SheetDecision>

/** `columns` corrects which column is which. The server saves the corrections for these headings; an empty object deletes them. */
export const SheetPreviewRequest = Type.Object({
  objectId: Type.Optional(Id),
  url: Type.Optional(Type.String({ maxLength: 2_000 })),
  columns: Type.Optional(SheetColumnChoice),
})
export type SheetPreviewRequest = Static<typeof SheetPreviewRequest>

export const SheetPreview = Type.Object({
  ...sheetContent,
  withVin: Type.Integer(),
  /** Identifies all vehicles and their fields. */
  vehiclesKey: Type.String(),
  /** All vehicles of an uploaded file, but only the first ten of a link. */
  vehicles: Type.Array(NewVehicle),
})
export type SheetPreview = Static<typeof SheetPreview>
