import Type, { type Static } from 'typebox'
import { Dealer, Id, Nullable, Timestamp } from './dealers.ts'

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

/** GET /api/connections: whom the dealer has in their network, and with whom that is mutual ("1st"). */
export const OwnNetwork = Type.Object({ connected: Type.Array(Id), mutual: Type.Array(Id) })
export type OwnNetwork = Static<typeof OwnNetwork>

/** GET /api/dealers/recommended: sellers not yet in the network, best match first. */
export const RecommendedDealer = Type.Object({
  dealer: Dealer,
  mutualConnections: Type.Integer(),
  /** In words: what speaks for this seller. */
  why: Type.String(),
})
export type RecommendedDealer = Static<typeof RecommendedDealer>
