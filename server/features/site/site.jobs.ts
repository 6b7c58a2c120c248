import type { JobHandlers } from '#server/platform/jobs.ts'
import type { ContactJobs, NewsletterJobs } from './site.events.ts'
import { findMessage } from './contact.repository.ts'
import type { MailingList } from '#shared/contact.ts'
import { publicLink } from '#server/platform/mail.ts'
import { findSubscriber, updateConfirmSecret } from './newsletter.repository.ts'

export const contactJobs: JobHandlers<ContactJobs> = {
  'mail.contact': {
    queue: 'mail',
    async handle(ctx, { messageId }) {
      const message = await findMessage(ctx.db, messageId)
      if (!message) return
      await ctx.mailer.send({
        to: ctx.config.mail.support,
        // Names come from a public form: a line break in one must not become a header.
        subject: `[${message.topic}] Message from ${message.name}`.replaceAll(/[\r\n]+/g, ' '),
        text: [
          `Name: ${message.name}\nEmail: ${message.email}\nCompany: ${message.company || 'not given'}\nDealership type: ${message.dealershipType ?? 'not given'}`,
          message.message,
        ].join('\n\n'),
      })
    },
  },
}

const wishes: Record<MailingList, string> = {
  newsletter: 'the Lanewire newsletter, one mail a month',
  status: 'mails when the state of a Lanewire service changes',
}

/** The link's secret is made when the mail is written, so that it never rests in a queue. */
export const newsletterJobs: JobHandlers<NewsletterJobs> = {
  'mail.listConfirm': {
    queue: 'mail',
    async handle(ctx, { subscriberId }, run) {
      const subscriber = await findSubscriber(ctx.db, subscriberId)
      if (!subscriber || subscriber.confirmedAt !== null) return
      const list = subscriber.list
      await run.complete(async (tx) => {
        const secret = await updateConfirmSecret(tx, subscriberId)
        await ctx.mailer.send({
          to: subscriber.email,
          subject: 'Please confirm your subscription',
          text: [
            `Somebody, hopefully you, asked for ${wishes[list]}. Open this link within a week to confirm:`,
            publicLink(ctx.config, `/api/lists/${list}/confirm?token=${secret}`),
            'If it was not you, do nothing. Without the confirmation you will not hear from us again.',
          ].join('\n\n'),
        })
      })
    },
  },
}
