import Type from 'typebox'
import type { Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { NewVehicle, PostPatch } from './posts.ts'

/** GET /api/vin/{vin}: everything known about a VIN. Warnings never prevent posting. */
export const VinReport = Type.Object({
  vin: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  body: Nullable(Type.String()),
  /** Where the fields come from: our own tables, or vPIC data when the offline package is installed. */
  source: oneOf(['tables', 'vpic', 'none'] as const),
  /** False if the 9th character is not the check digit of the others (49 CFR 565.15). */
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
  /** Row number in the spreadsheet, from 1. */
  row: Type.Integer(),
  /** Completes "Row 7: …". */
  message: Type.String(),
  /** Heading of the cell's column. Absent: the fault is about the whole row. */
  column: Type.Optional(Type.String()),
  /** The original text of the cell or the row. */
  text: Type.Optional(Type.String()),
  /** True if the vehicle is listed in spite of the fault. Absent: the row was left out. */
  listed: Type.Optional(Type.Boolean()),
})
export type SheetFault = Static<typeof SheetFault>

/** Meanings of a spreadsheet column. `distanceUnit` says whether the mileage is in miles or kilometers. */
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

/** Longer headings are cut to this length. */
export const columnNameMax = 80

const ChosenColumn = Type.Optional(Nullable(Type.String({ maxLength: columnNameMax })))

/** A dealer's corrections: by field the name of its column, or null if no column is used for it. */
export const SheetColumnChoice = Type.Object(
  Object.fromEntries(sheetFields.map((field) => [field, ChosenColumn])) as Record<SheetField, typeof ChosenColumn>,
)
export type SheetColumnChoice = Static<typeof SheetColumnChoice>

/** A column below the main heading of a spreadsheet. */
export const SheetColumn = Type.Object({
  /** The heading; for a column without one, its letter. Unique within the spreadsheet. */
  name: Type.String(),
  /** Null: the column is not read. */
  field: Nullable(oneOf(sheetFields)),
  sample: Type.String(),
})
export type SheetColumn = Static<typeof SheetColumn>

/** How the columns and rows of a spreadsheet were used. */
export const SheetSummary = Type.Object({
  /** All columns in their order, up to a limit. Absent for spreadsheets that an earlier version has read. */
  columns: Type.Optional(Type.Array(SheetColumn)),
  /** The corrections by the dealer that were applied. Absent: none. */
  chosen: Type.Optional(SheetColumnChoice),
  /** Headings of the columns with prices. If a cell of one is empty, the next one is used. */
  priceFrom: Type.Array(Type.String()),
  unread: Type.Array(Type.String()),
  /** Number of rows that are hidden or filtered out in a workbook, and therefore not read. */
  hiddenRows: Type.Integer(),
  /** Headings of the columns that are hidden in a workbook, and therefore not read. Absent: none. */
  hiddenColumns: Type.Optional(Type.Array(Type.String())),
  /** Names of the other visible sheets of a workbook, which are not read. Absent: none. */
  otherSheets: Type.Optional(Type.Array(Type.String())),
  /** Number of faults that `faults` leaves out. */
  moreFaults: Type.Integer(),
  /** Keys of the headings, whose corrections DELETE /api/inventory/{id}/sheet/columns removes. Absent in previews. */
  headings: Type.Optional(Type.Array(Type.String())),
})
export type SheetSummary = Static<typeof SheetSummary>

const Change = Type.Object({ before: Nullable(Type.Number()), after: Nullable(Type.Number()) })

/** One vehicle that a new import of a linked spreadsheet adds or removes, or whose price, mileage or VIN it changes. */
export const SheetChange = Type.Object({
  kind: oneOf(['added', 'removed', 'changed'] as const),
  vehicle: Type.String(),
  vin: Nullable(Type.String()),
  /** The VIN before. Absent: unchanged. */
  vinBefore: Type.Optional(Nullable(Type.String())),
  /** In US dollars. Absent: unchanged. */
  price: Type.Optional(Change),
  /** In miles. Absent: unchanged. */
  mileage: Type.Optional(Change),
})
export type SheetChange = Static<typeof SheetChange>

/** Changes that a new import of a linked spreadsheet makes to its post. */
export const SheetChanges = Type.Object({
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  /** Number of vehicles that had a price and have none now. */
  pricesLost: Type.Integer(),
  /** Vehicles that had a VIN and have none now. Absent: read before lost VINs were counted. */
  vinsLost: Type.Optional(Type.Integer()),
  /** The first changes; removed vehicles come first, then lost prices and VINs. */
  list: Type.Array(SheetChange),
})
export type SheetChanges = Static<typeof SheetChanges>

/** Content of a spreadsheet that is not published yet. */
const sheetContent = {
  found: Type.Integer(),
  /** Number of vehicles with a price. */
  priced: Type.Integer(),
  faults: Type.Array(SheetFault),
  summary: SheetSummary,
}

/** An import that awaits the owner's approval. */
export const HeldSheet = Type.Object({
  id: Id,
  ...sheetContent,
  /** When the link was loaded. Absent: before this was recorded. */
  readAt: Type.Optional(Timestamp),
  /** The dealer saw other vehicles in the preview. Absent: there was no preview, or the vehicles are the same. */
  isOtherThanPreview: Type.Optional(Type.Boolean()),
  /** Null: the post has no vehicles from this spreadsheet yet. */
  changes: Nullable(SheetChanges),
  /** Identifies all changes, also those beyond the list. */
  changesKey: Type.Optional(Type.String()),
  /** The first vehicles as they will look. */
  vehicles: Type.Array(NewVehicle),
})
export type HeldSheet = Static<typeof HeldSheet>

/**
 * `held`: an import awaits the owner's approval. The post's vehicles do not change until then. `failed`: the last reading failed. The
 * report still describes the published import, and an import that was held before still awaits approval.
 */
const sheetStates = ['waiting', 'done', 'failed', 'held'] as const
export type SheetState = (typeof sheetStates)[number]

/** GET /api/inventory/{id}/sheet: the result of a spreadsheet post's import, for its owner only. */
export const SheetReport = Type.Object({
  state: oneOf(sheetStates),
  /** Number of vehicles that the post received. */
  found: Type.Integer(),
  faults: Type.Array(SheetFault),
  /** Null until an import has been published. */
  summary: Nullable(SheetSummary),
  /** Why the whole spreadsheet failed, in words for its owner. */
  error: Nullable(Type.String()),
  /** Changes made by the published import. Null for the first import. */
  changes: Nullable(SheetChanges),
  held: Nullable(HeldSheet),
})
export type SheetReport = Static<typeof SheetReport>

/** POST /api/inventory/{id}/sheet/decision: publishes the held import, or keeps the current vehicles. `endAuction` as in `PostPatch`. */
export const SheetDecision = Type.Object({
  heldId: Id,
  publish: Type.Boolean(),
  endAuction: PostPatch.properties.endAuction,
})
export type SheetDecision = Static<typeof SheetDecision>

/**
 * POST /api/spreadsheets/preview: the content of an uploaded file or a link before it is posted. `columns` corrects the meaning of
 * its columns, and is remembered for this dealer and these headings; empty forgets the corrections.
 */
export const SheetPreviewRequest = Type.Object({
  objectId: Type.Optional(Id),
  url: Type.Optional(Type.String({ maxLength: 2_000 })),
  columns: Type.Optional(SheetColumnChoice),
})
export type SheetPreviewRequest = Static<typeof SheetPreviewRequest>

export const SheetPreview = Type.Object({
  ...sheetContent,
  /** How many of the vehicles have a VIN. */
  withVin: Type.Integer(),
  /** Identifies all vehicles with their fields. */
  vehiclesKey: Type.String(),
  /** All vehicles of an uploaded file, and the first ten of a link. */
  vehicles: Type.Array(NewVehicle),
})
export type SheetPreview = Static<typeof SheetPreview>
