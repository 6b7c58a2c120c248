import { cutText } from '#shared/cut-text.ts'
import type { QuietHours, Settings } from '#shared/schemas/account.ts'
import type { MarkRead, NotificationsPage, NotificationsQuery } from '#shared/schemas/notifications.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import type { NotificationKind } from '#shared/settings.ts'
import { touchInbox } from './inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  countUnread,
  insertNotifications,
  listBlockedPairs,
  listNotifications,
  listRecipients,
  type NotificationRow,
  removeNotifications,
  removeOldNotifications,
  renameActor,
  updateCommentNotice,
  updateRead,
} from './notifications.repository.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60
/** An unread notice is emailed after this time. Notices in quick succession share one email. */
const mailDelayMs = 30_000
const digestMinute = 8 * 60

function localMinute(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
    .formatToParts(at)
    .map(({ type, value }) => [type, Number(value)] as const)
  const { hour = 0, minute = 0 } = Object.fromEntries(parts) as { hour?: number; minute?: number }
  return hour * 60 + minute
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** Returns the next time at which the dealer's clock shows this minute of the day, even across a daylight saving change. */
function nextAt(from: Date, minute: number, timeZone: string): Date {
  const wait = (minute - localMinute(from, timeZone) + dayMinutes) % dayMinutes || dayMinutes
  const at = new Date(Math.floor(from.getTime() / minuteMs) * minuteMs + wait * minuteMs)
  const late = ((localMinute(at, timeZone) - minute + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2
  const shown = new Date(at.getTime() - late * minuteMs)
  // If the clock skips this minute, return the moment when the clock changes.
  return localMinute(shown, timeZone) === minute ? shown : at
}

/** Quiet hours may span midnight. */
function isQuiet({ on, from, to, timeZone }: QuietHours, at: Date): boolean {
  if (!on || from === to) return false
  const now = localMinute(at, timeZone)
  const [start, end] = [minuteOf(from), minuteOf(to)]
  return start < end ? now >= start && now < end : now >= start || now < end
}

/** Returns when a notice is emailed: shortly or with the daily digest, but not during quiet hours. */
export function mailDueAt({ emailDelivery, quietHours }: Settings, at: Date): Date {
  const { timeZone } = quietHours
  const due = emailDelivery === 'daily' ? nextAt(at, digestMinute, timeZone) : new Date(at.getTime() + mailDelayMs)
  return isQuiet(quietHours, due) ? nextAt(due, minuteOf(quietHours.to), timeZone) : due
}

export interface Notice {
  dealerId: string
  kind: NotificationKind
  title: string
  body?: string
  path: string
  /** The dealer who caused the notice. Dealers are not notified of their own actions. */
  actorId?: string
  /** True to notify the recipient even if they have blocked the actor, because the notice concerns a binding deal. */
  despiteBlock?: boolean
  /** Dedupe key: a dealer receives only one notice with this key. */
  key?: string
  /** True if a separate email replaces the emailed notice, regardless of the dealer's settings. */
  mailed?: boolean
}

const titleMax = 300
const bodyMax = 1_000
const dealKinds = new Set<NotificationKind>(['outbid', 'won', 'deal'])

function wantsAlerts(kind: NotificationKind, { dealAlerts, messageAlerts }: Settings): boolean {
  if (dealKinds.has(kind)) return dealAlerts
  return kind === 'messages' ? messageAlerts : true
}

export const isMailed = (kind: NotificationKind, settings: Settings): boolean =>
  settings.notifications[kind].email && wantsAlerts(kind, settings) && settings.emailNotifications

export function isPushed(kind: NotificationKind, settings: Settings, at: Date): boolean {
  const { pushNotifications, quietHours, notifications } = settings
  if (!pushNotifications || !notifications[kind].push || !wantsAlerts(kind, settings)) return false
  return !isQuiet(quietHours, at) || (quietHours.urgent === true && (kind === 'outbid' || kind === 'won'))
}

function channelsOf(kind: NotificationKind, settings: Settings, now: Date) {
  const { inApp } = settings.notifications[kind]
  return { inApp, email: isMailed(kind, settings), push: isPushed(kind, settings, now) }
}

function toRow(notice: Notice, settings: Settings, now: Date): NotificationRow | undefined {
  const { kind } = notice
  const { inApp, push, ...ways } = channelsOf(kind, settings, now)
  const email = ways.email && notice.mailed !== true
  if (!inApp && !email && !push) return undefined
  return {
    dealerId: notice.dealerId,
    kind,
    title: cutText(notice.title, titleMax),
    body: cutText(notice.body ?? '', bodyMax),
    path: notice.path,
    actorId: notice.actorId ?? null,
    dedupeKey: notice.key ?? null,
    inApp,
    push,
    mailDueAt: email ? mailDueAt(settings, now) : null,
  }
}

/** Notifies dealers according to their settings. Locks the dealers' rows, so call this at the end of the transaction. */
export async function notify(tx: Tx, emit: Emit, ...notices: Notice[]): Promise<void> {
  const pairs = notices.flatMap(({ dealerId, actorId, despiteBlock }) =>
    actorId === undefined || despiteBlock === true ? [] : { dealerId, actorId },
  )
  const blocked = await listBlockedPairs(tx, pairs)
  const enabled = notices.filter(
    ({ dealerId, actorId, despiteBlock }) =>
      dealerId !== actorId && (despiteBlock === true || !blocked.has(`${dealerId}:${actorId}`)),
  )
  if (enabled.length === 0) return
  const now = new Date()
  const recipients = await listRecipients(tx, [...new Set(enabled.map(({ dealerId }) => dealerId))])
  const settingsById = new Map(
    recipients.map(({ id, settings, readsMail }) => {
      const wanted = settingsOf(settings)
      return [id, { ...wanted, emailNotifications: wanted.emailNotifications && readsMail }]
    }),
  )
  const rows = enabled.flatMap((notice) => {
    const settings = settingsById.get(notice.dealerId)
    return (settings && toRow(notice, settings, now)) ?? []
  })
  const [first, ...others] = rows.length === 0 ? [] : await insertNotifications(tx, rows)
  if (first === undefined) return
  const added = [first, ...others]
  // All notices to a dealer in one call have the same due time.
  const due = new Map(added.flatMap(({ dealerId, mailDueAt }) => (mailDueAt === null ? [] : [[dealerId, mailDueAt]])))
  const mails = [...due].map(([dealerId, runAt]) => ({ payload: { dealerId }, runAt, uniqueKey: dealerId }))
  // Sort the jobs to prevent deadlocks.
  await emit.jobs(
    'notification.mail',
    mails.toSorted((a, b) => (a.uniqueKey < b.uniqueKey ? -1 : 1)),
  )
  const reachable = new Set(recipients.flatMap(({ id, hasDevice }) => (hasDevice ? [id] : [])))
  // All notices in one call are about the same event, so `despiteBlock` applies either to all of a dealer's notices or to none.
  const binding = new Set(enabled.flatMap(({ dealerId, despiteBlock }) => (despiteBlock === true ? [dealerId] : [])))
  const pushed = added.filter(({ dealerId, kind, push }) => push && kind !== 'messages' && reachable.has(dealerId))
  await emit.jobs(
    'push.notice',
    pushed.map(({ id, dealerId }) => ({
      payload: { noticeId: id, late: false, ...(binding.has(dealerId) && { despiteBlock: true }) },
    })),
  )
  await touchInbox(tx, emit, [...new Set(added.map(({ dealerId }) => dealerId))], 'notification', first.id)
}

export async function readNotifications(
  ctx: Context,
  actor: Actor,
  { limit, before }: NotificationsQuery,
): Promise<NotificationsPage> {
  const [rows, unread, [latestPush = null]] = await Promise.all([
    listNotifications(ctx.db, actor.dealerId, 'inApp', { limit: limit + 1, before }),
    countUnread(ctx.db, actor.dealerId),
    listNotifications(ctx.db, actor.dealerId, 'push', { limit: 1 }),
  ])
  return { items: rows.slice(0, limit), unread, more: rows.length > limit, latestPush }
}

export async function markRead(ctx: Context, actor: Actor, { ids }: MarkRead): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if ((await updateRead(tx, actor.dealerId, ids)) > 0)
      await touchInbox(tx, emit, [actor.dealerId], 'notification', ids?.[0] ?? actor.dealerId)
  })
}

/** Updates the seller's notice of an edited comment. Without `content`, withdraws the notice. */
export async function followComment(tx: Tx, emit: Emit, commentId: string, content?: string): Promise<void> {
  const notice = await updateCommentNotice(tx, commentId, content === undefined ? undefined : cutText(content, bodyMax))
  if (notice !== undefined) await touchInbox(tx, emit, [notice.dealerId], 'notification', notice.id)
}

export const dropNotifications = (tx: Tx, dealerId: string): Promise<void> => removeNotifications(tx, dealerId)

export const anonymizeActor = (tx: Tx, actorId: string, name: string, becomes: string): Promise<void> =>
  renameActor(tx, actorId, name, becomes)

export const sweepNotifications = (tx: Tx, before: Date, limit: number): Promise<number> =>
  removeOldNotifications(tx, before, limit)

export { insertPastNotifications } from './notifications.repository.ts'
