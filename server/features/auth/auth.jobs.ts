import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { AuthJobs } from './auth.events.ts'
import { removeExpiredTokens } from './auth.repository.ts'
import { issueLink } from './auth-tokens.service.ts'

const resetMinutes = 60
const inviteMinutes = 7 * 24 * 60
const verifyMinutes = 3 * 24 * 60

/** The secret is made when the mail is written, so that it never rests in a queue. */
export const authJobs: JobHandlers<AuthJobs> = {
  'mail.reset': {
    queue: 'mail',
    async handle(ctx, { dealerId }, run) {
      const dealer = dealerId === null ? undefined : await findDealer(ctx.db, dealerId)
      if (!dealer) return
      await run.complete(async (tx) => {
        const token = await issueLink(tx, 'reset', dealer, resetMinutes)
        await ctx.mailer.send({
          to: dealer.email,
          subject: 'Set a new Lanewire password',
          text: [
            'Somebody, hopefully you, asked for a new password for this account. The link works once, for an hour:',
            publicLink(ctx.config, `/reset?token=${token}`),
            'If it was not you, do nothing: your password stays as it is.',
          ].join('\n\n'),
        })
      })
    },
  },
  'mail.verify': {
    queue: 'mail',
    async handle(ctx, { dealerId }, run) {
      const dealer = await findDealer(ctx.db, dealerId)
      if (!dealer || dealer.emailVerifiedAt !== null) return
      await run.complete(async (tx) => {
        const token = await issueLink(tx, 'verify', dealer, verifyMinutes)
        await ctx.mailer.send({
          to: dealer.email,
          subject: 'Confirm your email for Lanewire',
          text: ['Confirm that this address is yours:', publicLink(ctx.config, `/verify-email?token=${token}`)].join(
            '\n\n',
          ),
        })
      })
    },
  },
  'mail.invite': {
    queue: 'mail',
    async handle(ctx, { dealerId }, run) {
      const dealer = await findDealer(ctx.db, dealerId)
      if (!dealer || dealer.passwordHash !== null) return
      await run.complete(async (tx) => {
        const token = await issueLink(tx, 'reset', dealer, inviteMinutes)
        await ctx.mailer.send({
          to: dealer.email,
          subject: 'You are invited to Lanewire',
          text: [
            'An account was made for you on Lanewire, the wholesale network for used-car dealers. Choose your password within a week:',
            publicLink(ctx.config, `/reset?token=${token}`),
          ].join('\n\n'),
        })
      })
    },
  },
}

export const authSchedules: Schedule[] = [
  { name: 'auth.sweepTokens', everyMs: 3_600_000, run: (ctx) => removeExpiredTokens(ctx.db) },
]
