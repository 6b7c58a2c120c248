import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { NewVehicle, PostPatch } from './posts.ts'

/** All known facts about a VIN. Warnings never prevent posting. */
export const VinReport = Type.Object({
  vin: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  body: Nullable(Type.String()),
  /** Source of the fields: our own tables, or vPIC data if the offline package is installed. */
  source: oneOf(['tables', 'vpic', 'none'] as const),
  /** False if the 9th character is not the check digit that the other characters require (49 CFR 565.15). */
  checkDigitHolds: Type.Boolean(),
  expectedCheckDigit: Nullable(Type.String()),
  /** Active posts of the network with the same VIN, newest first, at most five. */
  activePosts: Type.Array(
    Type.Object({ id: Id, title: Type.String(), dealershipName: Type.String(), own: Type.Boolean() }),
  ),
})
export type VinReport = Static<typeof VinReport>

/** A problem with a cell or a row of a spreadsheet. */
export const SheetFault = Type.Object({
  /** Row number, starting at 1. */
  row: Type.Integer(),
  /** Completes a sentence such as "Row 7: …". */
  message: Type.String(),
  /** Absent if the problem concerns the whole row. */
  column: Type.Optional(Type.String()),
  /** The original text of the cell or the row. */
  text: Type.Optional(Type.String()),
  /** True if the vehicle is listed in spite of the problem. Absent if the row was skipped. */
  listed: Type.Optional(Type.Boolean()),
})
export type SheetFault = Static<typeof SheetFault>

/** `distanceUnit` is a column that states whether the mileage is in miles or kilometers. */
export const sheetFields = [
  'vin',
  'year',
  'make',
  'model',
  'trim',
  'mileage',
  'distanceUnit',
  'price',
  'color',
  'city',
  'state',
  'notes',
  'location',
] as const
export type SheetField = (typeof sheetFields)[number]

/** Longer headings are cut. */
export const columnNameMax = 80

const ChosenColumn = Type.Optional(Nullable(Type.String({ maxLength: columnNameMax })))

/** Maps each corrected field to the name of its column, or to null if no column is used for the field. */
export const SheetColumnChoice = Type.Object(
  Object.fromEntries(sheetFields.map((field) => [field, ChosenColumn])) as Record<SheetField, typeof ChosenColumn>,
)
export type SheetColumnChoice = Static<typeof SheetColumnChoice>

export const SheetColumn = Type.Object({
  /** The column's heading, or the column's letter if the heading is empty. Unique within the spreadsheet. */
  name: Type.String(),
  /** Null if the column is not used. */
  field: Nullable(oneOf(sheetFields)),
  sample: Type.String(),
})
export type SheetColumn = Static<typeof SheetColumn>

export const SheetSummary = Type.Object({
  /** In order, up to a limit. Absent if an earlier version of the server read the spreadsheet. */
  columns: Type.Optional(Type.Array(SheetColumn)),
  /** The dealer's corrections that were applied. */
  chosen: Type.Optional(SheetColumnChoice),
  /** Headings of the price columns. If a row's cell in one column is empty, the next column is used. */
  priceFrom: Type.Array(Type.String()),
  unread: Type.Array(Type.String()),
  /** Number of rows that were skipped because they are hidden or filtered out in the workbook. */
  hiddenRows: Type.Integer(),
  /** Headings of hidden columns, which are skipped. */
  hiddenColumns: Type.Optional(Type.Array(Type.String())),
  /** Names of the workbook's other visible sheets, which are not read. */
  otherSheets: Type.Optional(Type.Array(Type.String())),
  /** Number of problems that `faults` leaves out. */
  moreFaults: Type.Integer(),
  /** Keys of the headings. DELETE /api/inventory/{id}/sheet/columns removes the corrections for these headings. Absent in previews. */
  headings: Type.Optional(Type.Array(Type.String())),
})
export type SheetSummary = Static<typeof SheetSummary>

const Change = Type.Object({ before: Nullable(Type.Number()), after: Nullable(Type.Number()) })

/** A vehicle that an import adds, removes, or changes in price, mileage or VIN. */
export const SheetChange = Type.Object({
  kind: oneOf(['added', 'removed', 'changed'] as const),
  vehicle: Type.String(),
  vin: Nullable(Type.String()),
  /** Absent if the VIN is unchanged. */
  vinBefore: Type.Optional(Nullable(Type.String())),
  /** In US dollars. Absent if unchanged. */
  price: Type.Optional(Change),
  /** In miles. Absent if unchanged. */
  mileage: Type.Optional(Change),
})
export type SheetChange = Static<typeof SheetChange>

export const SheetChanges = Type.Object({
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  /** Number of vehicles that had a price before and have none now. */
  pricesLost: Type.Integer(),
  /** Number of vehicles that had a VIN before and have none now. Absent in older reports. */
  vinsLost: Type.Optional(Type.Integer()),
  /** Only the first changes. Removed vehicles come first, then vehicles that lost their price or VIN. */
  list: Type.Array(SheetChange),
})
export type SheetChanges = Static<typeof SheetChanges>

/** Content of a spreadsheet that has not been published yet. */
const sheetContent = {
  found: Type.Integer(),
  priced: Type.Integer(),
  faults: Type.Array(SheetFault),
  summary: SheetSummary,
}

/** An import that waits for the owner's approval. */
export const HeldSheet = Type.Object({
  id: Id,
  ...sheetContent,
  /** When the link was loaded. Absent in older imports. */
  readAt: Type.Optional(Timestamp),
  /** True if the vehicles differ from the preview that the dealer saw. Absent if they match, or if there was no preview. */
  isOtherThanPreview: Type.Optional(Type.Boolean()),
  /** Null if the post has no vehicles from this spreadsheet yet. */
  changes: Nullable(SheetChanges),
  /** Identifies the complete set of changes, even changes beyond the list. */
  changesKey: Type.Optional(Type.String()),
  /** The first vehicles, as they will look after publishing. */
  vehicles: Type.Array(NewVehicle),
})
export type HeldSheet = Static<typeof HeldSheet>

/** `held`: an import waits for the owner's approval. `failed`: the last read failed, but the report describes the published import. */
const sheetStates = ['waiting', 'done', 'failed', 'held'] as const
export type SheetState = (typeof sheetStates)[number]

/** Import result of a spreadsheet post. Only the post's owner can read it. */
export const SheetReport = Type.Object({
  state: oneOf(sheetStates),
  /** Number of vehicles that the post received from the import. */
  found: Type.Integer(),
  faults: Type.Array(SheetFault),
  /** Null until an import has been published. */
  summary: Nullable(SheetSummary),
  /** Explains to the owner why the whole spreadsheet failed. */
  error: Nullable(Type.String()),
  /** Changes made by the published import. Null for the first import. */
  changes: Nullable(SheetChanges),
  held: Nullable(HeldSheet),
})
export type SheetReport = Static<typeof SheetReport>

/** Publishes the held import, or keeps the current vehicles. For `endAuction`, see `PostPatch`. */
export const SheetDecision = Type.Object({
  heldId: Id,
  publish: Type.Boolean(),
  endAuction: PostPatch.properties.endAuction,
})
export type SheetDecision = Static<typeof SheetDecision>

/** `columns` corrects how columns are read. The server remembers the corrections for these headings; an empty object deletes them. */
export const SheetPreviewRequest = Type.Object({
  objectId: Type.Optional(Id),
  url: Type.Optional(Type.String({ maxLength: 2_000 })),
  columns: Type.Optional(SheetColumnChoice),
})
export type SheetPreviewRequest = Static<typeof SheetPreviewRequest>

export const SheetPreview = Type.Object({
  ...sheetContent,
  withVin: Type.Integer(),
  /** Identifies the complete set of vehicles and their fields. */
  vehiclesKey: Type.String(),
  /** All vehicles of an uploaded file, or the first ten of a link. */
  vehicles: Type.Array(NewVehicle),
})
export type SheetPreview = Static<typeof SheetPreview>
