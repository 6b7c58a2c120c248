import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp } from './dealers.ts'

/** GET /api/connections/requests/{userId}: those that wait for the dealer's answer (spec A §3). */
export const ConnectionRequest = Type.Object({
  id: Id,
  createdAt: Timestamp,
  requester: Type.Object({
    id: Id,
    name: Type.String(),
    avatar: Nullable(Type.String()),
    dealershipName: Type.String(),
  }),
})
export type ConnectionRequest = Static<typeof ConnectionRequest>
