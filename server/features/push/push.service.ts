import { plural } from '#shared/format.ts'
import type { NotificationKind } from '#shared/settings.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { cutText } from '#shared/cut-text.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { isPushed } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { hadSound, isActive, noteSound } from './push-active.ts'
import { type Delivery, deliver } from './push-delivery.service.ts'
import type { PushJobs } from './push.events.ts'
import {
  contentOfNotice,
  hiddenTitle,
  isBinding,
  type NoticeSource,
  type PushContent,
  type PushSource,
  retryDelay,
  serviceOf,
} from './push.policy.ts'
import {
  countPush,
  countUnreadOf,
  findNotice,
  findOpenDevice,
  findUnreadChat,
  listOpenDevices,
  markDelivered,
  markFailed,
  removeDevice,
} from './push.repository.ts'

/** If the dealer is active, a push waits once for this many milliseconds. */
const activeWaitMs = 60_000
/** An outbid push does not wait if its auction ends within this many milliseconds. */
const finalMs = 120_000
const chatTextMax = 120
const day = 24 * 3_600

interface Push {
  kind: NotificationKind
  content: PushContent
  hiddenTitle: string
  /** True if the push is sent even while the dealer is active. */
  atOnce: boolean
}

/** Builds the push from current data. Undefined if its subject was read or is obsolete, or if the dealer turned this push off. */
async function composePush(ctx: Context, dealerId: string, source: PushSource): Promise<Push | undefined> {
  if (!ctx.config.push.on) return undefined
  const push = await ('noticeId' in source ? composeNotice(ctx, source) : composeChat(ctx, source.chatId, dealerId))
  return push?.dealerId === dealerId ? push : undefined
}

type Composed = Push & { dealerId: string }

async function composeNotice(
  ctx: Context,
  { noticeId, despiteBlock = false }: NoticeSource,
): Promise<Composed | undefined> {
  const now = ctx.now()
  const notice = await findNotice(ctx.db, noticeId)
  if (notice === undefined || notice.isRead || notice.isOvertaken || !notice.push) return undefined
  if (notice.isBlocked && !despiteBlock) return undefined
  if (!isPushed(notice.kind, settingsOf(notice.settings), now)) return undefined
  const endsAt = notice.endsAt ?? undefined
  return {
    dealerId: notice.dealerId,
    kind: notice.kind,
    content: contentOfNotice(notice, endsAt, now),
    hiddenTitle: hiddenTitle(notice.kind, endsAt !== undefined),
    atOnce: endsAt !== undefined && endsAt.getTime() - now.getTime() < finalMs,
  }
}

async function composeChat(ctx: Context, chatId: string, dealerId: string): Promise<Composed | undefined> {
  const chat = await findUnreadChat(ctx.db, chatId, dealerId)
  if (chat === undefined || !isPushed('messages', settingsOf(chat.settings), ctx.now())) return undefined
  const body = chat.unread === 1 ? cutText(chat.text, chatTextMax) : plural(chat.unread, 'new message')
  const path = `/messages?chat=${chatId}`
  const content = { title: chat.name, body, path, tag: `chat:${chatId}`, urgency: 'normal', ttlSeconds: day } as const
  return { dealerId, kind: 'messages', content, hiddenTitle: hiddenTitle('messages', false), atOnce: false }
}

/** `late`: the push has already waited once. */
interface Waiting {
  dealerId: string
  source: PushSource
  late: boolean
}

/** Queues one delivery per device. If the dealer is active, waits once instead. */
async function sendToDevices(
  ctx: Context,
  { dealerId, source, late }: Waiting,
  run: JobRun,
  waitLonger: (emit: Emit, runAt: Date) => Promise<void>,
): Promise<void> {
  const push = await composePush(ctx, dealerId, source)
  if (push === undefined) return
  if (!push.atOnce && (await isActive(ctx, dealerId))) {
    if (!late) await run.complete((_tx, emit) => waitLonger(emit, new Date(ctx.now().getTime() + activeWaitMs)))
    return
  }
  const devices = await listOpenDevices(ctx.db, dealerId)
  const chatId = 'chatId' in source ? source.chatId : undefined
  const quiet = chatId !== undefined && (await hadSound(ctx, chatId, dealerId))
  const jobs = devices.map(({ id, endpoint }) => ({
    payload: { deviceId: id, host: serviceOf(endpoint, ctx.config.push.hosts), source, quiet, attempt: 1 },
  }))
  let isQueued = false
  await run.complete(async (_tx, emit) => {
    await emit.jobs('push.deliver', jobs)
    isQueued = jobs.length > 0
  })
  // Record the sound only after deliveries were queued. `complete` queues nothing if the job was requested again meanwhile. The next run
  // then sends the push with a sound.
  if (isQueued && !quiet && chatId !== undefined) await noteSound(ctx, chatId, dealerId)
}

export async function pushNotice(
  ctx: Context,
  { late, ...source }: PushJobs['push.notice'],
  run: JobRun,
): Promise<void> {
  const notice = await findNotice(ctx.db, source.noticeId)
  if (notice === undefined) return
  await sendToDevices(ctx, { dealerId: notice.dealerId, source, late }, run, (emit, runAt) =>
    emit.job('push.notice', { ...source, late: true }, { runAt }),
  )
}

export async function pushChat(
  ctx: Context,
  { chatId, dealerId, late }: PushJobs['push.chat'],
  run: JobRun,
): Promise<void> {
  await sendToDevices(ctx, { dealerId, source: { chatId }, late }, run, (emit, runAt) =>
    emit.job('push.chat', { chatId, dealerId, late: true }, { runAt, uniqueKey: `late:${chatId}:${dealerId}` }),
  )
}

const withoutContent = ({ content, hiddenTitle: title }: Push): PushContent => ({ ...content, title, body: '' })

export async function pushToDevice(ctx: Context, job: PushJobs['push.deliver'], run: JobRun): Promise<void> {
  const { deviceId, source, quiet } = job
  const device = await findOpenDevice(ctx.db, deviceId)
  const push = device && (await composePush(ctx, device.dealerId, source))
  if (device === undefined || push === undefined) return
  const nowMs = ctx.now().getTime()
  const untilMs = job.untilMs ?? nowMs + push.content.ttlSeconds * 1_000
  const ttlSeconds = Math.floor((untilMs - nowMs) / 1_000)
  if (ttlSeconds <= 0) return
  // Count a push only once, not again when its delivery or job is retried.
  if (job.attempt === 1 && run.attempt === 1 && !(await countPush(ctx.db, deviceId, isBinding(push.kind)))) return
  const content = { ...(device.hideContent ? withoutContent(push) : push.content), ttlSeconds }
  const badge = await countUnreadOf(ctx.db, device.dealerId)
  const delivery = await deliver(ctx, device, content, { badge, quiet })
  await run.complete((tx, emit) =>
    settle(tx, emit, { delivery, dealerId: device.dealerId, job: { ...job, untilMs }, nowMs }),
  )
  if (delivery.outcome === 'refused') ctx.log.error({ reason: delivery.reason }, 'a push service refused our request')
  if (delivery.outcome === 'gone') ctx.log.info({ reason: delivery.reason }, 'a push device was removed')
}

interface Settled {
  delivery: Delivery
  dealerId: string
  job: PushJobs['push.deliver'] & { untilMs: number }
  nowMs: number
}

/** Records the push service's response. Queues a retry, unless the push expires first. */
async function settle(tx: Tx, emit: Emit, { delivery, dealerId, job, nowMs }: Settled): Promise<void> {
  const { deviceId, attempt, untilMs } = job
  if (delivery.outcome === 'accepted') return markDelivered(tx, deviceId)
  if (delivery.outcome === 'gone') await removeDevice(tx, deviceId)
  else if ((await markFailed(tx, deviceId, delivery.reason)) === undefined) return retry()
  await touchInbox(tx, emit, [dealerId], 'push', deviceId)
  return retry()

  async function retry(): Promise<void> {
    if (delivery.outcome !== 'retry') return
    const runAtMs = nowMs + retryDelay(attempt, delivery.retryAfterMs)
    if (runAtMs < untilMs)
      await emit.job(
        'push.deliver',
        { ...job, attempt: attempt + 1 },
        {
          runAt: new Date(runAtMs),
          uniqueKey: `${deviceId}:${'chatId' in job.source ? job.source.chatId : job.source.noticeId}`,
        },
      )
  }
}
