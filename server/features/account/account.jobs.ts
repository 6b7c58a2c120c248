import { issueLink } from '#server/features/auth/auth-tokens.service.ts'
import type { JobHandlers } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { AccountJobs } from './account.facts.ts'
import { findEmailChange } from './account.repository.ts'

const linkMinutes = 24 * 60

export const accountJobs: JobHandlers<AccountJobs> = {
  'mail.emailChange': {
    queue: 'mail',
    async handle(ctx, { dealerId }, run) {
      const email = await findEmailChange(ctx.db, dealerId)
      if (email === undefined) return
      await run.complete(async (tx) => {
        const token = await issueLink(tx, 'change', { id: dealerId, email }, linkMinutes)
        await ctx.mailer.send({
          to: email,
          subject: 'Confirm your new email for Lanewire',
          text: [
            'Confirm that this address is yours; from then on you sign in with it:',
            publicLink(ctx.config, `/profile-edit?confirm=${token}`),
            'If you did not ask for this, do nothing.',
          ].join('\n\n'),
        })
      })
    },
  },
}
