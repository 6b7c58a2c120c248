import Type, { type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './dealers.ts'

/** pending → approved → completed, pending|approved → cancelled. What is not completed counts as active (spec A §4). */
export const dealStatuses = ['pending', 'approved', 'cancelled', 'completed'] as const
export type DealStatus = (typeof dealStatuses)[number]

const Party = Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })

/** GET /api/deals/{userId} (spec A §3 "Deal"). `price` in dollars. */
export const Deal = Type.Object({
  id: Id,
  status: oneOf(dealStatuses),
  year: Nullable(Type.Integer()),
  make: Type.String(),
  model: Type.String(),
  price: Type.Number(),
  vin: Nullable(Type.String()),
  location: Type.String(),
  sellerId: Id,
  buyer: Party,
  seller: Party,
  postId: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Deal = Static<typeof Deal>
