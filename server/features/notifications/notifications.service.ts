import type { MarkRead, NotificationsPage, NotificationsQuery } from '#shared/schemas/notifications.ts'
import type { Settings } from '#shared/schemas/settings.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import type { NotificationKind } from '#shared/settings.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
import { isQuiet, mailDueAt } from './notification-times.ts'
import {
  countUnread,
  insertNotifications,
  listBlockedPairs,
  listNotifications,
  listRecipients,
  updateRead,
  type NotificationRow,
} from './notifications.repository.ts'

/** Something a dealer is to be told. */
export interface Notice {
  /** Who is told. */
  dealerId: string
  kind: NotificationKind
  title: string
  body?: string
  /** Where in the app it leads; starts with a slash. */
  path: string
  /** Who caused it. Nobody is told of what they did themselves. */
  actorId?: string
  /** The same key is told once per dealer, however often it is said. */
  key?: string
  /** A mail of its own tells it whatever the settings say, so it is not mailed as a notice too. */
  mailed?: boolean
}

const titleMax = 300
const bodyMax = 1_000
const dealKinds = new Set<NotificationKind>(['outbid', 'won', 'deal'])

function toRow(notice: Notice, settings: Settings, now: Date): NotificationRow | undefined {
  const { kind } = notice
  const wanted = settings.notifications[kind]
  const alerts = dealKinds.has(kind) ? settings.dealAlerts : kind === 'messages' ? settings.messageAlerts : true
  const email = wanted.email && alerts && settings.emailNotifications && notice.mailed !== true
  const push = wanted.push && alerts && settings.pushNotifications && !isQuiet(settings.quietHours, now)
  if (!wanted.inApp && !email && !push) return undefined
  return {
    dealerId: notice.dealerId,
    kind,
    title: notice.title.slice(0, titleMax),
    body: (notice.body ?? '').slice(0, bodyMax),
    path: notice.path,
    actorId: notice.actorId ?? null,
    dedupeKey: notice.key ?? null,
    inApp: wanted.inApp,
    push,
    mailDueAt: email ? mailDueAt(settings, now) : null,
  }
}

/**
 * Tells dealers something, in the caller's transaction: it is told if and only if that commits. Each dealer's own
 * settings decide about list, mail and push. Locks the dealers' rows: call it last.
 */
export async function notify(tx: Tx, emit: Emit, ...notices: Notice[]): Promise<void> {
  const pairs = notices.flatMap(({ dealerId, actorId }) => (actorId === undefined ? [] : { dealerId, actorId }))
  const blocked = await listBlockedPairs(tx, pairs)
  const told = notices.filter(({ dealerId, actorId }) => dealerId !== actorId && !blocked.has(`${dealerId}:${actorId}`))
  if (told.length === 0) return
  const now = new Date()
  const recipients = await listRecipients(tx, [...new Set(told.map(({ dealerId }) => dealerId))])
  const settingsById = new Map(recipients.map(({ id, settings }) => [id, settingsOf(settings)]))
  const rows = told.flatMap((notice) => {
    const settings = settingsById.get(notice.dealerId)
    return (settings && toRow(notice, settings, now)) ?? []
  })
  const [first, ...others] = rows.length === 0 ? [] : await insertNotifications(tx, rows)
  if (first === undefined) return
  const added = [first, ...others]
  for (const { dealerId, mailDueAt: runAt } of added)
    if (runAt !== null) await emit.job('notification.mail', { dealerId }, { runAt, uniqueKey: dealerId })
  await touchInbox(tx, emit, [...new Set(added.map(({ dealerId }) => dealerId))], 'notification', first.id)
}

/** A page of the dealer's own notifications and how many are unread. */
export async function readNotifications(
  ctx: Context,
  actor: Actor,
  { limit, before }: NotificationsQuery,
): Promise<NotificationsPage> {
  const [rows, unread] = await Promise.all([
    listNotifications(ctx.db, actor.dealerId, { limit: limit + 1, before }),
    countUnread(ctx.db, actor.dealerId),
  ])
  return { items: rows.slice(0, limit), unread, more: rows.length > limit }
}

/** Marks as read; ids that are not the dealer's own are not there. */
export async function markRead(ctx: Context, actor: Actor, { ids }: MarkRead): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if ((await updateRead(tx, actor.dealerId, ids)) > 0)
      await touchInbox(tx, emit, [actor.dealerId], 'notification', ids?.[0] ?? actor.dealerId)
  })
}
