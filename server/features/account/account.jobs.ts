import { issueMailedLink } from '#server/features/auth/auth-tokens.service.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { publicLink } from '#server/platform/mail.ts'
import type { AccessChange, AccountJobs } from './account.events.ts'
import { findEmailChange } from './account.repository.ts'
import { failExport, makeExport, sweepExports } from './export.service.ts'

const linkMinutes = 24 * 60
const givenMinutes = 7 * 24 * 60

const ended = 'Every other browser was signed out, and links mailed before do not work any more.'

const notices: Record<AccessChange, { subject: string; text: string; remedy: string; path: string }> = {
  'password.reset': {
    subject: 'Your Lanewire password was reset',
    text: `The password of your account was set anew through a link mailed to this address. ${ended} Where the account has a second factor, it is still asked for.`,
    remedy:
      'If it was not you, somebody else reads your mail. Make your mailbox safe first, then set another password:',
    path: '/reset',
  },
  'password.firstReset': {
    subject: 'Your Lanewire password was set',
    text: `The password of your account was set through a link mailed to this address. ${ended} The address had not been confirmed before. So everything that was set up earlier was removed: authenticator app, passkeys, recovery codes, API keys and the link to Google.`,
    remedy:
      'If it was not you, somebody else reads your mail. Make your mailbox safe first, then set another password:',
    path: '/reset',
  },
  'password.changed': {
    subject: 'Your Lanewire password was changed',
    text: `The password of your account was changed by somebody who was signed in. ${ended}`,
    remedy:
      'If it was not you, set another password now, which signs them out, and look at your API keys and your posts:',
    path: '/reset',
  },
  'email.changed': {
    subject: 'Your Lanewire email was changed',
    text: `This address does not sign in to your account any more: it has another one now, confirmed by a link mailed there. ${ended}`,
    remedy: 'If it was not you, write to us at once, from this address. We can give the account back:',
    path: '/contact?public',
  },
  'email.given': {
    subject: 'Your Lanewire email was changed',
    text: `This address does not sign in to your account any more: an administrator has given it another one. ${ended} Neither do a Google account, an authenticator app, passkeys or API keys that it had.`,
    remedy: 'If it was not you who asked for that, write to us, from this address:',
    path: '/contact?public',
  },
  'factor.added': {
    subject: 'Your Lanewire account has another second factor',
    text: 'An authenticator app or a passkey was added to your account. From now on it can be asked for when somebody signs in.',
    remedy: 'If it was not you, set another password now, which signs everybody out, then remove it in your settings:',
    path: '/reset',
  },
  'factor.removed': {
    subject: 'A second factor of your Lanewire account was removed',
    text: 'An authenticator app or a passkey was removed from your account by somebody who was signed in.',
    remedy: 'If it was not you, set another password now, which signs everybody out, and set it up again:',
    path: '/reset',
  },
  'factor.reset': {
    subject: 'The second factor of your Lanewire account was reset',
    text: 'An administrator has taken the authenticator app, passkeys and recovery codes off your account, and every browser was signed out. Until you set them up again, your password alone signs in.',
    remedy: 'If it was not you who asked for that, set another password now and write to us:',
    path: '/reset',
  },
  'recoveryCode.used': {
    subject: 'A recovery code of your Lanewire account was used',
    text: 'Somebody has signed in to your account with one of its recovery codes. That code does not work any more.',
    remedy: 'If it was not you, set another password now, which signs them out, and make new recovery codes:',
    path: '/reset',
  },
  'apiKey.made': {
    subject: 'An API key was made for your Lanewire account',
    text: 'A program that has the key can act for your account until the key is revoked. A new password does not revoke it.',
    remedy: 'If it was not you, revoke the key under API keys in your settings, then set another password:',
    path: '/settings',
  },
}

export const accountJobs: JobHandlers<AccountJobs> = {
  'mail.emailChange': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const email = await findEmailChange(tx, dealerId)
      if (email === undefined) return undefined
      const token = await issueMailedLink(tx, run, 'change', { id: dealerId, email }, linkMinutes)
      if (token === undefined) return undefined
      return {
        to: email,
        subject: 'Confirm your new email for Lanewire',
        text: [
          'Confirm that this address is yours; from then on you sign in with it, and every other browser is signed out:',
          publicLink(run.config, `/verify-email#change=${token}`),
          'If you did not ask for this, do nothing.',
        ].join('\n\n'),
      }
    },
  },
  'mail.accessChanged': {
    queue: 'mail',
    async write(_tx, { to, what }, { config }) {
      const { subject, text, remedy, path } = notices[what]
      return { to, subject, text: [text, remedy, publicLink(config, path)].join('\n\n') }
    },
  },
  'mail.addressGiven': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = await findDealer(tx, dealerId)
      if (!dealer) return undefined
      const isNew = dealer.passwordHash === null
      const token = await issueMailedLink(tx, run, isNew ? 'reset' : 'verify', dealer, givenMinutes)
      if (token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'Your new email for Lanewire',
        text: [
          `An administrator has given your Lanewire account this address: you sign in with it from now on. ${
            isNew ? 'Choose your password within a week:' : 'Confirm within a week that it is yours:'
          }`,
          publicLink(run.config, isNew ? `/reset#token=${token}` : `/verify-email#token=${token}`),
        ].join('\n\n'),
      }
    },
  },
  'export.make': {
    queue: 'default',
    handle: (ctx, { exportId }, run) => makeExport(ctx, exportId, run),
    gaveUp: (tx, emit, { exportId }) => failExport(tx, emit, exportId),
  },
}

const hourMs = 3_600_000

export const accountSchedules: Schedule[] = [{ name: 'exports.sweep', everyMs: hourMs, run: sweepExports }]
