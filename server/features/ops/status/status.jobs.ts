import { formatDateTime } from '#shared/format.ts'
import type { Incident, StatusServiceKey } from '#shared/schemas/ops.ts'
import { confirmedSubscriber, unsubscribeLink, subscribersOf } from '#server/features/site/newsletter.service.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import type { IncidentNews, StatusJobs } from '../ops.events.ts'
import { findIncident } from './incidents.repository.ts'
import { recordStatus } from './status.service.ts'

const names: Record<StatusServiceKey, string> = {
  platform: 'Dealer Platform',
  messaging: 'Messaging System',
  ai: 'AI Services',
  auth: 'Authentication',
  database: 'Database',
}

const momentOf = (at: string) => `${formatDateTime(at, 'UTC')} UTC`

function timesOf({ planned, startedAt, endedAt }: Incident): string {
  if (endedAt !== null) return `From ${momentOf(startedAt)} to ${momentOf(endedAt)}.`
  return planned ? `Starts ${momentOf(startedAt)}.` : `Since ${momentOf(startedAt)}.`
}

function subjectOf({ title, planned }: Incident, news: IncidentNews): string {
  const kind = planned ? 'Planned maintenance' : 'Incident'
  const over = planned ? ' completed' : ' resolved'
  // A line break in the title would allow header injection.
  return `${kind}${news === 'over' ? over : ''}: ${title}`.replaceAll(/[\r\n]+/g, ' ')
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
        unsubscribeUrl: unsubscribeLink(config, 'status', subscriber.id),
        subject: state === 'down' ? `${names[service]} is down` : `${names[service]} is back up`,
        text: [
          state === 'down'
            ? `${names[service]} has failed two checks in a row. We're working on it.`
            : `${names[service]} is working again.`,
          publicLink(config, '/status'),
          `To stop these emails:\n${unsubscribeLink(config, 'status', subscriber.id)}`,
        ].join('\n\n'),
      }
    },
  },
  'incident.notify': {
    queue: 'default',
    async handle(ctx, { incidentId, news }, run) {
      const subscribers = await subscribersOf(ctx, 'status')
      await run.complete(async (_tx, emit) => {
        const mails = subscribers.map(({ id }) => ({ payload: { subscriberId: id, incidentId, news } }))
        await emit.jobs('mail.incident', mails)
      })
    },
  },
  'mail.incident': {
    queue: 'mail',
    async write(tx, { subscriberId, incidentId, news }, { config }) {
      const [incident, subscriber] = [await findIncident(tx, incidentId), await confirmedSubscriber(tx, subscriberId)]
      if (!incident || !subscriber) return undefined
      const stop = unsubscribeLink(config, 'status', subscriber.id)
      return {
        to: subscriber.email,
        unsubscribeUrl: stop,
        subject: subjectOf(incident, news),
        text: [incident.text, timesOf(incident), publicLink(config, '/status'), `To stop these emails:\n${stop}`].join(
          '\n\n',
        ),
      }
    },
  },
}

export const statusSchedules: Schedule[] = [{ name: 'status.record', everyMs: 60_000, run: recordStatus }]
