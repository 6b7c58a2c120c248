import Type, { type Static } from 'typebox'
import { Dealer, Id, Nullable, oneOf, Timestamp } from './dealers.ts'

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

/** How another dealer stands to the caller. */
export const Relation = Type.Object({
  /** In the caller's own network. */
  connected: Type.Boolean(),
  /** `1st` where both have each other (READING.md "Connect"). */
  degree: Nullable(oneOf(['1st'])),
  /** Dealers that are in both networks. */
  mutualConnections: Type.Integer(),
})
export type Relation = Static<typeof Relation>

/** POST and DELETE /api/dealers/{id}/connect: how it is now. */
export const ConnectionChange = Type.Object({
  connected: Type.Boolean(),
  degree: Nullable(oneOf(['1st'])),
  /** Of the caller. */
  connectionCount: Type.Integer(),
})
export type ConnectionChange = Static<typeof ConnectionChange>

/** GET /api/connections: ids of the caller's own network, and those of them that have the caller in theirs. */
export const OwnNetwork = Type.Object({ connected: Type.Array(Id), mutual: Type.Array(Id) })
export type OwnNetwork = Static<typeof OwnNetwork>

/** GET /api/dealers/recommended: dealers not in the network yet, the best first, with the reason in words. */
export const RecommendedDealer = Type.Object({ dealer: Dealer, mutualConnections: Type.Integer(), why: Type.String() })
export type RecommendedDealer = Static<typeof RecommendedDealer>
