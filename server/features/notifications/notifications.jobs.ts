import { plural } from '#shared/format.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import type { NotificationKind } from '#shared/settings.ts'
import type { Config } from '#server/config/config.ts'
import { type Mail, publicLink } from '#server/platform/mail/mail.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import { isSuspendedAt } from '#server/platform/database/suspension.ts'
import type { NotificationJobs } from './notifications.events.ts'
import {
  claimDueMail,
  commentKey,
  findInfoNotice,
  findNextMail,
  findRecipient,
  listClaimedMail,
  listUnreadMessages,
  lockUnnotifiedComments,
  messagesKey,
  retireOlderDigests,
} from './notifications.repository.ts'
import { isMailed, type Notice, notify } from './notifications.service.ts'

function toMail(
  config: Config,
  to: string,
  notices: { title: string; body: string; path: string }[],
): Mail | undefined {
  const [first] = notices
  if (first === undefined) return undefined
  const lines = notices.flatMap(({ title, body, path }) => [
    title,
    ...(body === '' ? [] : [body]),
    publicLink(config, path),
    '',
  ])
  return {
    to,
    subject: notices.length === 1 ? first.title : `${plural(notices.length, 'update')} on Lanewire`,
    text: [...lines, 'Choose which emails you get:', publicLink(config, '/settings')].join('\n'),
  }
}

/** Emailed even to suspended dealers, who cannot sign in: binding deals, money, admin decisions and the dealer's data. */
const mailedAlways = new Set<NotificationKind>(['won', 'deal', 'subscription', 'moderation', 'account'])

const commentsAtOnce = 100

type UnnotifiedComment = Awaited<ReturnType<typeof lockUnnotifiedComments>>[number]

const toCommentNotice = ({ id, content, dealerId, name, postId, title, sellerId }: UnnotifiedComment): Notice => ({
  dealerId: sellerId,
  actorId: dealerId,
  kind: 'comment',
  title: `${name} commented on ${title}`,
  body: content,
  path: `/post/${postId}`,
  key: commentKey(id),
})

export const notificationsJobs: JobHandlers<NotificationJobs> = {
  'notification.mail': {
    queue: 'mail',
    async write(tx, { dealerId }, { id, repeated, config, now }) {
      const dealer = await findRecipient(tx, dealerId)
      if (dealer === undefined) return undefined
      if (!repeated) await claimDueMail(tx, dealerId, { at: now, mailJob: id })
      // Skip kinds that the dealer has turned off since the notice was queued, possibly a day ago.
      const settings = settingsOf(dealer.settings)
      const suspended = isSuspendedAt(dealer, now)
      const claimed = await listClaimedMail(tx, dealerId, id)
      return toMail(
        config,
        dealer.email,
        claimed.filter(({ kind }) => isMailed(kind, settings) && (!suspended || mailedAlways.has(kind))),
      )
    },
    async sent(tx, emit, { dealerId }) {
      const runAt = (await findRecipient(tx, dealerId)) && (await findNextMail(tx, dealerId))
      if (runAt !== undefined) await emit.job('notification.mail', { dealerId }, { runAt, uniqueKey: dealerId })
    },
  },
  'notification.comment': {
    queue: 'default',
    // Use a transaction per batch instead of `run.complete`, which never runs while new comments keep requesting the job.
    async handle(ctx, { commentId }) {
      for (let after: string | undefined, more = true; more;) {
        const comments = await ctx.transact(async (tx, emit) => {
          const unnotified = await lockUnnotifiedComments(tx, commentId, after, commentsAtOnce)
          await notify(tx, emit, ...unnotified.map(toCommentNotice))
          return unnotified
        })
        after = comments.at(-1)?.id
        more = comments.length === commentsAtOnce
      }
    },
  },
  'notification.info': {
    queue: 'default',
    async handle(ctx, { postId, dealerId }, run) {
      const info = await findInfoNotice(ctx.db, postId, dealerId)
      if (info === undefined) return
      await run.complete((tx, emit) =>
        notify(tx, emit, {
          dealerId: info.sellerId,
          actorId: dealerId,
          kind: 'info',
          title: `${info.name} needs more information on ${info.title}`,
          body: info.dealershipName,
          path: `/post/${postId}`,
          key: `info:${postId}:${dealerId}`,
        }),
      )
    },
  },
}

/** Sends each dealer one notice for all chats with unread messages. The next notice follows only after new messages. */
async function digestMessages(ctx: Context): Promise<void> {
  for (const { dealerId, chats, unread, latest } of await listUnreadMessages(ctx.db)) {
    const dealers = chats === 1 ? 'one dealer' : plural(chats, 'dealer')
    const title = `${plural(unread, 'unread message')} from ${dealers}`
    const key = messagesKey(latest)
    await ctx.transact(async (tx, emit) => {
      await retireOlderDigests(tx, dealerId, key)
      await notify(tx, emit, { dealerId, kind: 'messages', title, path: '/messages', key })
    })
  }
}

export const notificationsSchedules: Schedule[] = [
  { name: 'notifications.messages', everyMs: 60_000, run: digestMessages },
]
