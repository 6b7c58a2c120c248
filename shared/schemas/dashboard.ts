import Type, { type Static } from 'typebox'
import { Id, Timestamp } from '#shared/values.ts'

/** The tiles of Direct Sales: deals in which the dealer sells. */
export const salesKinds = ['sold', 'pending', 'near'] as const
export type SalesKind = (typeof salesKinds)[number]

/** GET /api/dashboard: the side columns' figures of the signed-in dealer. */
export const Dashboard = Type.Object({
  /** Of the last `days` days. */
  activity: Type.Object({
    days: Type.Integer(),
    profileViews: Type.Integer(),
    /** Dealers who had a card of the dealer's posts on screen, at least half of it for a second: one per post and day. */
    postImpressions: Type.Integer(),
    newConnections: Type.Integer(),
  }),
  /** sold: completed. pending: waiting for an answer. near: agreed and not yet completed. */
  sales: Type.Object({ sold: Type.Integer(), pending: Type.Integer(), near: Type.Integer() }),
})
export type Dashboard = Static<typeof Dashboard>

/** GET /api/dashboard/sales/{kind}: behind one tile. Money in dollars. */
export const SalesAnalytics = Type.Object({
  count: Type.Integer(),
  total: Type.Number(),
  average: Type.Number(),
  /** The last six calendar months, oldest first; `month` is its first day. */
  months: Type.Array(Type.Object({ month: Type.String(), count: Type.Integer(), total: Type.Number() })),
  /** The newest 20. `price` in dollars. */
  deals: Type.Array(
    Type.Object({
      id: Id,
      vehicle: Type.String(),
      price: Type.Number(),
      buyerName: Type.String(),
      updatedAt: Timestamp,
    }),
  ),
})
export type SalesAnalytics = Static<typeof SalesAnalytics>
