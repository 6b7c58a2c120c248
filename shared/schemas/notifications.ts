import Type, { type Static } from 'typebox'
import { notificationKinds } from '#shared/settings.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

export const Notification = Type.Object({
  id: Id,
  kind: oneOf(notificationKinds),
  title: Type.String(),
  body: Type.String(),
  path: Type.String(),
  createdAt: Timestamp,
  read: Type.Boolean(),
  push: Type.Boolean(),
  actor: Nullable(Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()) })),
})
export type Notification = Static<typeof Notification>

/** GET /api/notifications. `before` is the id of the last notification on the previous page. */
export const NotificationsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
  before: Type.Optional(Id),
})
export type NotificationsQuery = Static<typeof NotificationsQuery>

export const NotificationsPage = Type.Object({
  items: Type.Array(Notification),
  unread: Type.Integer(),
  more: Type.Boolean(),
  /** The newest notification that the browser should show, even if it is not in the list. */
  latestPush: Nullable(Notification),
})
export type NotificationsPage = Static<typeof NotificationsPage>

/** POST /api/notifications/read. If `ids` is omitted, marks all notifications as read. */
export const MarkRead = Type.Object({ ids: Type.Optional(Type.Array(Id, { maxItems: 100, minItems: 1 })) })
export type MarkRead = Static<typeof MarkRead>
