import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

export const salesKinds = ['sold', 'pending', 'near'] as const
export type SalesKind = (typeof salesKinds)[number]

export const Dashboard = Type.Object({
  activity: Type.Object({
    days: Type.Integer(),
    profileViews: Type.Integer(),
    /** Number of dealers who had at least half of a card on screen for a second, counted once per post and day. */
    postImpressions: Type.Integer(),
    newConnections: Type.Integer(),
  }),
  /** sold: completed deals. pending: deals that wait for an answer. near: deals agreed on but not completed. */
  sales: Type.Object({ sold: Type.Integer(), pending: Type.Integer(), near: Type.Integer() }),
})
export type Dashboard = Static<typeof Dashboard>

/** Number of dealers that a new dealer is asked to connect with. */
export const startConnections = 3

/** First steps of a new dealer. Null once all steps are done, or once the dealer has a deal. */
export const StartSteps = Nullable(
  Type.Object({
    posted: Type.Boolean(),
    /** Number of dealers in this dealer's network, including one-way connections. */
    connected: Type.Integer(),
    wanted: Type.Boolean(),
  }),
)
export type StartSteps = Static<typeof StartSteps>

export const SalesAnalytics = Type.Object({
  count: Type.Integer(),
  total: Type.Number(),
  average: Type.Number(),
  /** The last six calendar months, oldest first. `month` is the first day. */
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
