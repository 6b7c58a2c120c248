import Type, { type Static } from 'typebox'
import { notificationKinds } from '#shared/settings.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

/** One thing a dealer was told. `path` is where in the app it leads. */
export const Notification = Type.Object({
  id: Id,
  kind: oneOf(notificationKinds),
  title: Type.String(),
  body: Type.String(),
  path: Type.String(),
  createdAt: Timestamp,
  read: Type.Boolean(),
  /** Also to be shown outside the page, by the browser. */
  push: Type.Boolean(),
  /** Who caused it, if somebody did. */
  actor: Nullable(Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()) })),
})
export type Notification = Static<typeof Notification>

/** GET /api/notifications: newest first; `before` is the id of the last one had. */
export const NotificationsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
  before: Type.Optional(Id),
})
export type NotificationsQuery = Static<typeof NotificationsQuery>

export const NotificationsPage = Type.Object({
  items: Type.Array(Notification),
  /** Unread in total, not on this page. */
  unread: Type.Integer(),
  more: Type.Boolean(),
  /** The newest that the browser is to show outside the page, in the list or told by that alone. */
  latestPush: Nullable(Notification),
})
export type NotificationsPage = Static<typeof NotificationsPage>

/** POST /api/notifications/read: these, or all where `ids` is absent. */
export const MarkRead = Type.Object({ ids: Type.Optional(Type.Array(Id, { maxItems: 100, minItems: 1 })) })
export type MarkRead = Static<typeof MarkRead>
