import Type, { type Static } from 'typebox'
import { Id, Nullable, oneOf } from './dealers.ts'

/** GET /api/vin/{vin} (READING.md "VIN"): all that is known about a VIN. Warnings never block. */
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
