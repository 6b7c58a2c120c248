import type { JobHandlers } from '#server/platform/jobs.ts'
import type { ContactJobs } from './contact.facts.ts'
import { findMessage } from './contact.repository.ts'

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
