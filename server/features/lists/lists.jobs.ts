import type { MailingList } from '#shared/contact.ts'
import type { JobHandlers } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { ListJobs } from './lists.facts.ts'
import { findSubscriber, updateConfirmSecret } from './lists.repository.ts'

const wishes: Record<MailingList, string> = {
  newsletter: 'the Lanewire newsletter, one mail a month',
  status: 'mails when the state of a Lanewire service changes',
}

/** The link's secret is made when the mail is written, so that it never rests in a queue. */
export const listsJobs: JobHandlers<ListJobs> = {
  'mail.listConfirm': {
    queue: 'mail',
    async handle(ctx, { subscriberId }, run) {
      const subscriber = await findSubscriber(ctx.db, subscriberId)
      if (!subscriber || subscriber.confirmedAt !== null) return
      const list = subscriber.list as MailingList
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
