import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { AuthJobs } from './auth.events.ts'
import { removeExpiredTokens } from './auth.repository.ts'
import { issueMailedLink } from './auth-tokens.service.ts'

const resetMinutes = 60
const inviteMinutes = 7 * 24 * 60
const verifyMinutes = 3 * 24 * 60

/** The link is made when the mail is written, so that its secret never rests in a queue. */
export const authJobs: JobHandlers<AuthJobs> = {
  'mail.reset': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = dealerId === null ? undefined : await findDealer(tx, dealerId)
      const token = dealer && (await issueMailedLink(tx, run, 'reset', dealer, resetMinutes))
      if (!dealer || token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'Set a new Lanewire password',
        text: [
          'Somebody, hopefully you, asked for a new password for this account. The link works once, for an hour:',
          publicLink(run.config, `/reset?token=${token}`),
          'If it was not you, do nothing: your password stays as it is.',
        ].join('\n\n'),
      }
    },
  },
  'mail.verify': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = await findDealer(tx, dealerId)
      if (!dealer || dealer.emailVerifiedAt !== null) return undefined
      const token = await issueMailedLink(tx, run, 'verify', dealer, verifyMinutes)
      if (token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'Confirm your email for Lanewire',
        text: ['Confirm that this address is yours:', publicLink(run.config, `/verify-email?token=${token}`)].join(
          '\n\n',
        ),
      }
    },
  },
  'mail.invite': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = await findDealer(tx, dealerId)
      if (!dealer || dealer.passwordHash !== null) return undefined
      const token = await issueMailedLink(tx, run, 'reset', dealer, inviteMinutes)
      if (token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'You are invited to Lanewire',
        text: [
          'An account was made for you on Lanewire, the wholesale network for used-car dealers. Choose your password within a week:',
          publicLink(run.config, `/reset?token=${token}`),
        ].join('\n\n'),
      }
    },
  },
}

export const authSchedules: Schedule[] = [
  { name: 'auth.sweepTokens', everyMs: 3_600_000, run: (ctx) => removeExpiredTokens(ctx.db) },
]
