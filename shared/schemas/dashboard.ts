import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

export const salesKinds = ['sold', 'pending', 'near'] as const
export type SalesKind = (typeof salesKinds)[number]

export const Dashboard = Type.Object({
  activity: Type.Object({
    days: Type.Integer(),
    profileViews: Type.Integer(),
    /** How often dealers had at least half of a card on screen for a second. Each dealer counts once per post and day. */
    postImpressions: Type.Integer(),
    newConnections: Type.Integer(),
  }),
  /** `sold`: completed deals. `pending`: deals that wait for approval. `near`: approved deals that are not completed. */
  sales: Type.Object({ sold: Type.Integer(), pending: Type.Integer(), near: Type.Integer() }),
})
export type Dashboard = Static<typeof Dashboard>

/** First steps of a new dealer. Null once all steps are done or the dealer has a deal. */
export const StartSteps = Nullable(
  Type.Object({
    posted: Type.Boolean(),
    /** Number of dealers in this dealer's network, including dealers who have not connected back. */
    connected: Type.Integer(),
    wanted: Type.Boolean(),
  }),
)
export type StartSteps = Static<typeof StartSteps>

export const SalesAnalytics = Type.Object({
  count: Type.Integer(),
  total: Type.Number(),
  average: Type.Number(),
  /** The last six calendar months, oldest first. `month` is the month's first day. */
  months: Type.Array(Type.Object({ month: Type.String(), count: Type.Integer(), total: Type.Number() })),
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
