import Type, { type Static } from 'typebox'
import { Id, Nullable, oneOf } from './dealers.ts'
import { NewVehicle } from './posts.ts'

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
