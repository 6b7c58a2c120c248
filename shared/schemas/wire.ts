import Type, { type Static } from 'typebox'
import { Nullable, oneOf } from './dealers.ts'

/** How many lines GET /api/wire answers at most. */
export const wireLines = 5

/**
 * A line of "On the wire now" beside the sign-in form. Nothing in it was typed as free text, and nothing tells whose
 * vehicle it is.
 */
export const WireLine = Type.Object({
  /** What its badge says. */
  kind: oneOf(['live', 'active', 'sold']),
  /** Year, make, model and trim, or how many vehicles of which makes. */
  vehicle: Type.String(),
  /** City and state of the vehicle, as far as they are known. */
  place: Type.String(),
  /** US dollars: the standing bid, or what is asked for all vehicles together. Null where nothing was said. */
  amount: Nullable(Type.Number()),
  /** Bids so far; 0 where it is no auction. */
  bids: Type.Integer(),
})
export type WireLine = Static<typeof WireLine>
