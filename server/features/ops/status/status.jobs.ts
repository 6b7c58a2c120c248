import type { StatusServiceKey } from '#shared/schemas/ops.ts'
import { confirmedSubscriber, leaveLink, subscribersOf } from '#server/features/site/newsletter.service.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { StatusJobs } from '../ops.events.ts'
import { recordStatus } from './status.service.ts'

const names: Record<StatusServiceKey, string> = {
  platform: 'Dealer Platform',
  messaging: 'Messaging System',
  ai: 'AI Services',
  auth: 'Authentication',
  database: 'Database',
}

export const statusJobs: JobHandlers<StatusJobs> = {
  'status.notify': {
    queue: 'default',
    async handle(ctx, { service, state }, run) {
      const subscribers = await subscribersOf(ctx, 'status')
      await run.complete(async (_tx, emit) => {
        const mails = subscribers.map(({ id }) => ({ payload: { subscriberId: id, service, state } }))
        await emit.jobs('mail.statusNotice', mails)
      })
    },
  },
  'mail.statusNotice': {
    queue: 'mail',
    async write(tx, { subscriberId, service, state }, { config }) {
      const subscriber = await confirmedSubscriber(tx, subscriberId)
      if (!subscriber) return undefined
      return {
        to: subscriber.email,
        unsubscribeUrl: leaveLink(config, 'status', subscriber.id),
        subject: state === 'down' ? `${names[service]} is down` : `${names[service]} is back`,
        text: [
          state === 'down'
            ? `${names[service]} has failed two checks in a row. We are on it.`
            : `${names[service]} answers again.`,
          publicLink(config, '/status'),
          `To stop these mails:\n${leaveLink(config, 'status', subscriber.id)}`,
        ].join('\n\n'),
      }
    },
  },
}

export const statusSchedules: Schedule[] = [{ name: 'status.record', everyMs: 60_000, run: recordStatus }]
