import { formatDate } from '#shared/format.ts'
import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import type { ContactJobs, NewsletterJobs } from './site.events.ts'
import { findAnswer, findMessage } from './contact.repository.ts'
import type { MailingList } from '#shared/contact.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { findIssue, insertDeliveries, isWaiting, removeDelivery, updateDelivered } from './issues.repository.ts'
import { issueMail } from './issues.service.ts'
import { findSubscriber, updateConfirmSecret } from './newsletter.repository.ts'
import { confirmedSubscriber } from './newsletter.service.ts'

export const contactJobs: JobHandlers<ContactJobs> = {
  'mail.contact': {
    queue: 'mail',
    async write(tx, { messageId }, { config }) {
      const message = await findMessage(tx, messageId)
      if (!message) return undefined
      return {
        to: config.mail.support,
        // The name comes from a public form. A line break in it would allow header injection.
        subject: `[${message.topic}] Message from ${message.name}`.replaceAll(/[\r\n]+/g, ' '),
        text: [
          `Name: ${message.name}\nEmail: ${message.email}\nCompany: ${message.company || 'not given'}\nDealership type: ${message.dealershipType ?? 'not given'}`,
          message.message,
        ].join('\n\n'),
      }
    },
  },
  'mail.contactAnswer': {
    queue: 'mail',
    async write(tx, { answerId }) {
      const answer = await findAnswer(tx, answerId)
      if (!answer) return undefined
      const quoted = answer.message.split('\n').map((line) => `> ${line}`)
      return {
        to: answer.email,
        subject: 'Re: your message to Lanewire',
        text: [answer.content, `On ${formatDate(answer.createdAt, 'UTC')} you wrote:\n${quoted.join('\n')}`].join(
          '\n\n',
        ),
      }
    },
  },
}

const wishes: Record<MailingList, string> = {
  newsletter: 'the Lanewire newsletter, one email a month',
  status: 'emails when a Lanewire service goes down and when it is back',
}

/** Confirmation links are created only when the email is written, so that no secret is stored in a queue. */
export const newsletterJobs: JobHandlers<NewsletterJobs> = {
  'mail.listConfirm': {
    queue: 'mail',
    async write(tx, { subscriberId }, { secret, repeated, config }) {
      const subscriber = await findSubscriber(tx, subscriberId)
      if (!subscriber || subscriber.confirmedAt !== null) return undefined
      if (!(await updateConfirmSecret(tx, subscriberId, secret, repeated))) return undefined
      const list = subscriber.list
      return {
        to: subscriber.email,
        subject: 'Please confirm your subscription',
        text: [
          `Someone, hopefully you, asked for ${wishes[list]}. Open this link within a week to confirm:`,
          publicLink(config, `/api/lists/${list}/confirm?token=${secret}`),
          "If this wasn't you, ignore this email. You won't hear from us again unless you confirm.",
        ].join('\n\n'),
      }
    },
  },
  'newsletter.send': {
    queue: 'default',
    async handle(_ctx, { issueId }, run) {
      await run.complete(async (tx, emit) => {
        for (const subscriberId of await insertDeliveries(tx, issueId))
          await emit.job('mail.newsletter', { issueId, subscriberId })
      })
    },
  },
  'mail.newsletter': {
    queue: 'mail',
    async write(tx, { issueId, subscriberId }, { config }) {
      const [issue, subscriber] = [await findIssue(tx, issueId), await confirmedSubscriber(tx, subscriberId)]
      // The subscriber has left the list, or an earlier attempt of the job has already sent the email.
      if (!issue || !subscriber || !(await isWaiting(tx, issueId, subscriberId))) return undefined
      return issueMail(config, issue, subscriber)
    },
    async sent(tx, _emit, { issueId, subscriberId }) {
      if (await confirmedSubscriber(tx, subscriberId)) await updateDelivered(tx, issueId, subscriberId)
      else await removeDelivery(tx, issueId, subscriberId)
    },
  },
}
