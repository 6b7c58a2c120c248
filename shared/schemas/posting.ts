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

/** A row that could not be used. `row` counts as the spreadsheet does, from 1; `message` completes "Row 7: …". */
export const SheetFault = Type.Object({ row: Type.Integer(), message: Type.String() })
export type SheetFault = Static<typeof SheetFault>

const sheetStates = ['waiting', 'done', 'failed'] as const
export type SheetState = (typeof sheetStates)[number]

/** GET /api/inventory/{id}/sheet: how the import of a spreadsheet post went; for its owner only. */
export const SheetReport = Type.Object({
  state: oneOf(sheetStates),
  /** Vehicles taken over into the post. */
  found: Type.Integer(),
  faults: Type.Array(SheetFault),
  /** Why the whole sheet failed, fit to be shown. */
  error: Nullable(Type.String()),
})
export type SheetReport = Static<typeof SheetReport>

/** POST /api/spreadsheets/preview: what an uploaded file holds, before it is posted. */
export const SheetPreviewRequest = Type.Object({ objectId: Id })
export type SheetPreviewRequest = Static<typeof SheetPreviewRequest>

export const SheetPreview = Type.Object({ vehicles: Type.Array(NewVehicle), faults: Type.Array(SheetFault) })
export type SheetPreview = Static<typeof SheetPreview>
