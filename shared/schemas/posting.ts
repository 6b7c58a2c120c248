import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { NewVehicle, PostPatch } from './posts.ts'

/** GET /api/vin/{vin}: all known facts about a VIN. Warnings never prevent posting. */
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
  /** Row number in the spreadsheet, from 1. */
  row: Type.Integer(),
  /** Completes a sentence such as "Row 7: …". */
  message: Type.String(),
  /** Heading of the cell's column. Absent if the problem concerns the whole row. */
  column: Type.Optional(Type.String()),
  /** The original text of the cell or the row. */
  text: Type.Optional(Type.String()),
  /** True if the vehicle is listed in spite of the problem. Absent if the row was skipped. */
  listed: Type.Optional(Type.Boolean()),
})
export type SheetFault = Static<typeof SheetFault>

/** Possible meanings of a spreadsheet column. `distanceUnit` is a column that states whether the mileage is in miles or kilometers. */
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

/** Maximum length of a column's name. Longer headings are cut. */
export const columnNameMax = 80

const ChosenColumn = Type.Optional(Nullable(Type.String({ maxLength: columnNameMax })))

/** A dealer's corrections. Each field maps to the name of its column, or to null if no column is used for it. */
export const SheetColumnChoice = Type.Object(
  Object.fromEntries(sheetFields.map((field) => [field, ChosenColumn])) as Record<SheetField, typeof ChosenColumn>,
)
export type SheetColumnChoice = Static<typeof SheetColumnChoice>

/** A column of a spreadsheet, below the main heading. */
export const SheetColumn = Type.Object({
  /** The heading, or the column's letter if it has none. Unique within the spreadsheet. */
  name: Type.String(),
  /** Meaning of the column. Null if it is not used. */
  field: Nullable(oneOf(sheetFields)),
  sample: Type.String(),
})
export type SheetColumn = Static<typeof SheetColumn>

/** Shows how the columns and rows of a spreadsheet were used. */
export const SheetSummary = Type.Object({
  /** All columns in their order, up to a limit. Absent if an earlier version of the server read the spreadsheet. */
  columns: Type.Optional(Type.Array(SheetColumn)),
  /** The dealer's corrections that were applied. Absent if there are none. */
  chosen: Type.Optional(SheetColumnChoice),
  /** Headings of the price columns. If a row's cell in one column is empty, the next column is used. */
  priceFrom: Type.Array(Type.String()),
  unread: Type.Array(Type.String()),
  /** Number of rows that were skipped because they are hidden or filtered out in a workbook. */
  hiddenRows: Type.Integer(),
  /** Headings of the columns that were skipped because they are hidden in a workbook. Absent if there are none. */
  hiddenColumns: Type.Optional(Type.Array(Type.String())),
  /** Names of the workbook's other visible sheets, which are not read. Absent if there are none. */
  otherSheets: Type.Optional(Type.Array(Type.String())),
  /** Number of further problems that are not in `faults`. */
  moreFaults: Type.Integer(),
  /** Keys of the headings. DELETE /api/inventory/{id}/sheet/columns removes the corrections for these headings. Absent in previews. */
  headings: Type.Optional(Type.Array(Type.String())),
})
export type SheetSummary = Static<typeof SheetSummary>

const Change = Type.Object({ before: Nullable(Type.Number()), after: Nullable(Type.Number()) })

/** A vehicle that a new import of a linked spreadsheet adds, removes, or changes in price, mileage or VIN. */
export const SheetChange = Type.Object({
  kind: oneOf(['added', 'removed', 'changed'] as const),
  vehicle: Type.String(),
  vin: Nullable(Type.String()),
  /** The VIN before the change. Absent if it is unchanged. */
  vinBefore: Type.Optional(Nullable(Type.String())),
  /** Price in US dollars. Absent if it is unchanged. */
  price: Type.Optional(Change),
  /** Mileage in miles. Absent if it is unchanged. */
  mileage: Type.Optional(Change),
})
export type SheetChange = Static<typeof SheetChange>

/** Changes that a new import of a linked spreadsheet makes to its post. */
export const SheetChanges = Type.Object({
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  /** Number of vehicles that had a price before and have none now. */
  pricesLost: Type.Integer(),
  /** Number of vehicles that had a VIN before and have none now. Absent in reports from before this was counted. */
  vinsLost: Type.Optional(Type.Integer()),
  /** The first changes. Removed vehicles come first, then vehicles that lost their price or VIN. */
  list: Type.Array(SheetChange),
})
export type SheetChanges = Static<typeof SheetChanges>

/** Content of a spreadsheet that has not been published yet. */
const sheetContent = {
  found: Type.Integer(),
  /** Number of vehicles with a price. */
  priced: Type.Integer(),
  faults: Type.Array(SheetFault),
  summary: SheetSummary,
}

/** An import that waits for the owner's approval. */
export const HeldSheet = Type.Object({
  id: Id,
  ...sheetContent,
  /** Time at which the link was loaded. Absent in imports from before this was recorded. */
  readAt: Type.Optional(Timestamp),
  /**
   * True if the vehicles differ from those that the dealer saw in the preview. Absent if they are the same, or if there was no
   * preview.
   */
  isOtherThanPreview: Type.Optional(Type.Boolean()),
  /** Null if the post has no vehicles from this spreadsheet yet. */
  changes: Nullable(SheetChanges),
  /** Identifies the complete set of changes, including changes beyond the list. */
  changesKey: Type.Optional(Type.String()),
  /** The first vehicles, as they will look after publishing. */
  vehicles: Type.Array(NewVehicle),
})
export type HeldSheet = Static<typeof HeldSheet>

/**
 * `held`: an import waits for the owner's approval. Until then, the post's vehicles do not change. `failed`: the last attempt to
 * read the spreadsheet failed. The report still describes the published import, and an earlier import that is held still waits
 * for approval.
 */
const sheetStates = ['waiting', 'done', 'failed', 'held'] as const
export type SheetState = (typeof sheetStates)[number]

/** GET /api/inventory/{id}/sheet: the import result of a spreadsheet post. Only the post's owner can read it. */
export const SheetReport = Type.Object({
  state: oneOf(sheetStates),
  /** Number of vehicles that the post received from the import. */
  found: Type.Integer(),
  faults: Type.Array(SheetFault),
  /** Null until an import has been published. */
  summary: Nullable(SheetSummary),
  /** The reason why the whole spreadsheet failed, in words for its owner. */
  error: Nullable(Type.String()),
  /** Changes that the published import made. Null for the first import. */
  changes: Nullable(SheetChanges),
  held: Nullable(HeldSheet),
})
export type SheetReport = Static<typeof SheetReport>

/**
 * POST /api/inventory/{id}/sheet/decision publishes the held import, or keeps the current vehicles. For `endAuction`, see
 * `PostPatch`.
 */
export const SheetDecision = Type.Object({
  heldId: Id,
  publish: Type.Boolean(),
  endAuction: PostPatch.properties.endAuction,
})
export type SheetDecision = Static<typeof SheetDecision>

/**
 * POST /api/spreadsheets/preview returns the content of an uploaded file or a link before it is posted. `columns` corrects the
 * meaning of its columns. The corrections are remembered for this dealer and these headings; an empty object deletes them.
 */
export const SheetPreviewRequest = Type.Object({
  objectId: Type.Optional(Id),
  url: Type.Optional(Type.String({ maxLength: 2_000 })),
  columns: Type.Optional(SheetColumnChoice),
})
export type SheetPreviewRequest = Static<typeof SheetPreviewRequest>

export const SheetPreview = Type.Object({
  ...sheetContent,
  /** Number of vehicles with a VIN. */
  withVin: Type.Integer(),
  /** Identifies the complete set of vehicles with their fields. */
  vehiclesKey: Type.String(),
  /** All vehicles of an uploaded file, or the first ten of a link. */
  vehicles: Type.Array(NewVehicle),
})
export type SheetPreview = Static<typeof SheetPreview>
