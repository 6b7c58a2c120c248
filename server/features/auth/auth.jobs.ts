import { admissionOf } from '#server/features/dealers/dealers.rows.ts'
import { findDealer, lockDealer } from '#server/features/dealers/dealers.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { JobHandlers, MailRun, Schedule } from '#server/platform/jobs/jobs.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { accountMails } from './account-mails.ts'
import type { AuthJobs } from './auth.events.ts'
import { removeExpiredTokens } from './auth.repository.ts'
import { isInvited, isInvitedAt } from './auth.policy.ts'
import { issueMailedLink } from './auth-tokens.service.ts'
import { removeExpiredWaits } from './second-factor/second-factor.repository.ts'

const resetMinutes = 60
const minuteMs = 60_000
const verifyMinutes = 3 * 24 * 60
const proofMinutes = 15

async function writeAdmission(tx: Tx, dealerId: string, { config }: MailRun) {
  const dealer = await findDealer(tx, dealerId)
  const admission = dealer && admissionOf(dealer)
  if (!dealer || admission === 'waiting') return undefined
  const text =
    admission === 'admitted'
      ? ['Your dealership is approved. You can now use the network.', publicLink(config, '/login')]
      : [
          'Your dealership was not approved, for this reason:',
          dealer.declinedReason ?? '',
          publicLink(config, '/contact'),
        ]
  const subject = admission === 'admitted' ? 'Your dealership is approved' : 'Your dealership was not approved'
  return { to: dealer.email, subject: `${subject} on Lanewire`, text: text.join('\n\n') }
}

/** Links are created only when an email is written, so that no secret is stored in a queue. */
export const authJobs: JobHandlers<AuthJobs> = {
  ...accountMails,
  'mail.reset': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = dealerId === null ? undefined : await findDealer(tx, dealerId)
      // Only an admin can renew an expired invitation.
      if (dealer && isInvited(dealer) && !isInvitedAt(dealer, run.now)) return undefined
      const token = dealer && (await issueMailedLink(tx, run, 'reset', dealer, resetMinutes))
      if (!dealer || token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'Set a new Lanewire password',
        text: [
          'Someone, hopefully you, asked to reset the password for this account. This link works once, for one hour:',
          publicLink(run.config, `/reset#token=${token}`),
          "If this wasn't you, ignore this email. Your password stays the same.",
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
        text: ['Confirm that this address is yours:', publicLink(run.config, `/verify-email#token=${token}`)].join(
          '\n\n',
        ),
      }
    },
  },
  'mail.proof': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = await findDealer(tx, dealerId)
      const token = dealer && (await issueMailedLink(tx, run, 'prove', dealer, proofMinutes))
      if (!dealer || token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'Confirm a change to your Lanewire account',
        text: [
          "Someone signed in to your account wants to make a change that requires proof of identity. If it's you, open this link in the browser where you are signed in. It works once, for 15 minutes:",
          publicLink(run.config, `/verify-email#prove=${token}`),
          "If it isn't you, don't open it. Sign out all other devices under Settings.",
        ].join('\n\n'),
      }
    },
  },
  'mail.invite': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      // Lock the row, so that a concurrent revocation cannot leave a valid link behind.
      const dealer = await lockDealer(tx, dealerId)
      if (!dealer?.invitedUntil || !isInvitedAt(dealer, run.now)) return undefined
      const minutes = Math.ceil((dealer.invitedUntil.getTime() - run.now.getTime()) / minuteMs)
      const token = await issueMailedLink(tx, run, 'reset', dealer, minutes)
      if (token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'You are invited to Lanewire',
        text: [
          'An account was created for you on Lanewire, the wholesale network for used-car dealers. Choose your password within a week:',
          publicLink(run.config, `/reset?invited#token=${token}`),
        ].join('\n\n'),
      }
    },
  },
  'mail.admission': { queue: 'mail', write: (tx, { dealerId }, run) => writeAdmission(tx, dealerId, run) },
}

export const authSchedules: Schedule[] = [
  { name: 'auth.sweepTokens', everyMs: 3_600_000, run: (ctx) => removeExpiredTokens(ctx.db) },
  { name: 'auth.sweepSignIns', everyMs: 3_600_000, run: (ctx) => removeExpiredWaits(ctx.db) },
]
